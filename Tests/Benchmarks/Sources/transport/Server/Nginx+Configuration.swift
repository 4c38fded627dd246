import Foundation

extension Nginx {
    /// What the server is told: one worker, connections that are kept for ever.
    static func configuration(in folder: URL, plain: UInt16, secure: UInt16) -> String {
        """
        \(getuid() == 0 ? "user root;" : "")
        daemon off;
        worker_processes 1;
        pid \(folder.path)/pid;
        events { worker_connections 4096; }
        http {
            access_log off;
            log_format seconds "$request_time";
            root \(folder.path)/files;
            default_type application/json;
            sendfile on;
            tcp_nopush on;
            open_file_cache max=16;
            keepalive_requests 1000000000;
            keepalive_timeout 3600;
            http2_max_concurrent_streams 256;
            http2_recv_buffer_size 256k;
            client_body_temp_path \(folder.path)/temporary;
            proxy_temp_path \(folder.path)/temporary;
            fastcgi_temp_path \(folder.path)/temporary;
            uwsgi_temp_path \(folder.path)/temporary;
            scgi_temp_path \(folder.path)/temporary;
            server {
                listen 127.0.0.1:\(plain) backlog=1024;
                listen 127.0.0.1:\(secure) ssl http2 backlog=1024;
                ssl_certificate \(folder.path)/certificate.pem;
                ssl_certificate_key \(folder.path)/key.pem;
                location = /status { stub_status; }
                location /varied/ {
                    alias \(folder.path)/files/;
                    add_header X-Request-Id $request_id;
                }
                location = /large { access_log \(folder.path)/large.log seconds; }
                location /uploads/ {
                    root \(folder.path);
                    dav_methods PUT;
                    client_max_body_size 0;
                    access_log \(folder.path)/large.log seconds;
                }
            }
        }
        """
    }
}
