import { defineCall, f, integerSchema, objectSchema, rowIdSchema } from '#kit/resource/index.ts'
import { bill } from './bill.resource.ts'

/** Compares a bill with the statement of the bank, as files. */
export const billStatementCall = defineCall({
  method: 'POST',
  path: '/api/merchant/bill/statement',
  input: { id: f.ref('bill', { label: bill.label, required: true }) },
  answer: objectSchema({ id: rowIdSchema, differences: integerSchema }),
})
