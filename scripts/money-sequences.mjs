// npm run money-sequences [-- 10000 [seed]]: random sequences of payments, shares, refunds, returns, callbacks, faults
// and kills over the simulated WeChat Pay (domains/sales/orders/money-sequences.test.ts; npm test plays 160), and a
// twentieth as many sequences of days in which things are paid for, refunded and reconciled
// (domains/money/reconciliation/paid-in-any-order.test.ts; npm test plays 60).
import { runModule } from './node.mjs'

const [sequences = '10000', seed] = process.argv.slice(2)
process.env.MONEY_SEQUENCES = sequences
process.env.PAID_SEQUENCES = String(Math.ceil(Number(sequences) / 20))
if (seed) process.env.MONEY_SEED = process.env.PAID_SEED = seed
await runModule('node_modules/vitest/vitest.mjs', [
  'run',
  '--project',
  'code',
  'domains/sales/orders/money-sequences.test.ts',
  'domains/money/reconciliation/paid-in-any-order.test.ts',
])
