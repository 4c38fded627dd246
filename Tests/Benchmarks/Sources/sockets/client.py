# Receives or sends the messages with `websockets`, and prints messages per second and microseconds of the processor.
import asyncio, sys, time

try:
    from websockets.asyncio.client import connect
except ImportError:
    sys.exit(1)

direction, port, count, text = sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4]


async def main():
    async with connect(f"ws://127.0.0.1:{port}/{direction}", compression=None, proxy=None) as socket:
        if direction == "send":
            received = 0
            async for _ in socket:
                received += 1
            assert received == count
        else:
            for _ in range(count):
                await socket.send(text)
            await socket.recv()


start, processor = time.perf_counter(), time.process_time()
asyncio.run(main())
print(count / (time.perf_counter() - start), (time.process_time() - processor) / count * 1e6)
