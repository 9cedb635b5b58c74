// npm run names -- --seed 7 [--count 100]: draws exported names at random, to be read by somebody who does not know the
// code. Prints the seed, then a name and its path a line, and nothing else.
import { parseArgs } from 'node:util'
import { exportedNames, sampleBySeed } from './exported-names.ts'

const { values } = parseArgs({ options: { seed: { type: 'string' }, count: { type: 'string', default: '100' } } })
const seed = values.seed === undefined ? Date.now() % 1_000_000 : Number(values.seed)
const count = Number(values.count)
if (!Number.isInteger(seed) || !Number.isInteger(count) || count < 1) {
  console.error('--seed takes a whole number, and --count one above zero.')
  process.exit(1)
}
console.log(`seed ${seed}`)
for (const { name, file } of sampleBySeed(exportedNames(), count, seed)) console.log(`${name}  ${file}`)
