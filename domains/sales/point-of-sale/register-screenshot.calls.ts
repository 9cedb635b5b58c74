import { f, reasonField, defineCall, textSchema, nullableSchema } from '#kit/resource/index.ts'
import { objectSchema } from '#kit/resource/response-schema.ts'
import { cashRegister } from './cash-register.resource.ts'

/** Register screenshot. */
export const cashRegisterScreenshotCall = defineCall({
  method: 'POST',
  path: `${cashRegister.path}/screenshot`,
  input: { id: f.ref('', { label: cashRegister.label, required: true }), reason: reasonField({ required: true }) },
  answer: objectSchema({ cmdId: textSchema, state: nullableSchema(textSchema) }),
})
