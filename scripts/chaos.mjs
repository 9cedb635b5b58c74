// npm run chaos [-- devices]: breaks what the product stands on, piece by piece (bench/chaos.ts, chaos-devices.ts).
await import(process.argv[2] === 'devices' ? '../bench/chaos-devices.ts' : '../bench/chaos.ts')
