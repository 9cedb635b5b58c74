// npm run money-sequences [-- 10000 [seed]]: random sequences of payments, shares, refunds, returns, callbacks,
// faults and deaths over the simulated WeChat Pay (domains/orders/money-sequences.test.ts); npm test plays 160.
import { runModule } from './node.mjs'

const [sequences = '10000', seed] = process.argv.slice(2)
process.env.MONEY_SEQUENCES = sequences
if (seed) process.env.MONEY_SEED = seed
await runModule('node_modules/vitest/vitest.mjs', [
  'run',
  '--project',
  'code',
  'domains/orders/money-sequences.test.ts',
  '--retry',
  '0',
])
