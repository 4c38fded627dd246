import asyncio, ssl, sys
HEAD=b"HTTP/1.1 101 X\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n"
async def h(r,w):
    try:
        await r.readuntil(b"\r\n\r\n"); w.write(HEAD)
        while True:
            d=await r.read(65536)
            if not d: break
            w.write(d); await w.drain()
    except Exception: pass
    w.close()
async def main():
    ctx=None
    if len(sys.argv)>2:
        ctx=ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER); ctx.load_cert_chain(sys.argv[2],sys.argv[3])
    s=await asyncio.start_server(h,"127.0.0.1",int(sys.argv[1]),ssl=ctx,backlog=2000)
    await s.serve_forever()
asyncio.run(main())
