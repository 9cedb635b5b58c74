// Checked by the type checker alone: mistakes at the border between browser and server, none of which may compile.
import {
  arraySchema,
  booleanSchema,
  defineCall,
  emptyObjectSchema,
  enumSchema,
  f,
  integerSchema,
  nullableSchema,
  objectSchema,
  textSchema,
  yuanSchema,
  type CallAnswerOf,
} from '#kit/resource/index.ts'
import { defineRoute } from '#kit/server/module/module.ts'
import { callApi, callUpload, useCall } from '#kit/web/http/call.ts'

const label = { zh: '名称', en: 'Name' }
const input = {
  shopId: f.ref('shop', { label, required: true }),
  price: f.money({ label }),
  kind: f.dict('kind', { label }),
  isOpen: f.boolean({ label }),
  ids: f.refs('good', { label }),
}
const line = objectSchema({ id: textSchema, amount: yuanSchema, pieces: integerSchema, note: textSchema }, ['note'])
const priced = defineCall({
  method: 'POST',
  path: '/api/t/priced',
  input,
  answer: objectSchema({
    total: yuanSchema,
    state: enumSchema('open', 'closed'),
    at: nullableSchema(textSchema),
    lines: arraySchema(line),
  }),
})
const one = defineCall({ method: 'GET', path: '/api/t/one/:key', answer: objectSchema({ isOn: booleanSchema }) })
const plain = defineCall({ method: 'GET', path: '/api/t/plain', answer: arraySchema(line) })
const done = defineCall({ method: 'POST', path: '/api/t/done', answer: emptyObjectSchema })

const answered: CallAnswerOf<typeof priced> = { total: '1.00', state: 'open', at: null, lines: [] }
const route = { title: label, can: 'plain' } as const

export const right = [
  { usePlain: () => useCall(plain) },
  callApi(priced, { shopId: '1', price: '12.50', ids: ['1', '2'] }, { quiet: true }),
  callApi(one, { key: 'x' }),
  callApi(done),
  callUpload(priced, new Blob(), { shopId: '1' }),
  defineRoute(priced, { ...route, handle: async ({ input: { price } }) => ({ ...answered, at: String(price ?? 0) }) }),
  defineRoute(plain, { ...route, handle: async () => [{ id: '1', amount: '1.00', pieces: 1 }] }),
  defineRoute(done, { ...route, handle: async () => {} }),
  defineRoute(priced, { ...route, parsesItself: true, handle: async () => answered }),
]

// Declaring a call.

// @ts-expect-error a path outside the interface
defineCall({ method: 'GET', path: '/t/x', answer: textSchema })

// @ts-expect-error a method that browsers do not call by
defineCall({ method: 'DELETE', path: '/api/t/x', answer: textSchema })

// @ts-expect-error a call that does not say what it answers
defineCall({ method: 'GET', path: '/api/t/x' })

// @ts-expect-error an option calls do not have
defineCall({ method: 'GET', path: '/api/t/x', answer: textSchema, cached: true })

// @ts-expect-error a parameter that is no field
defineCall({ method: 'GET', path: '/api/t/x', input: { shopId: 'text' }, answer: textSchema })

// @ts-expect-error an optional property the object does not have
objectSchema({ id: textSchema }, ['note'])

// Calling it.

// @ts-expect-error a path instead of a declared call
void callApi('/api/t/priced', { shopId: '1' })

// @ts-expect-error a required parameter is missing
void callApi(priced, {})

// @ts-expect-error required parameters are missing altogether
void callApi(priced)

// @ts-expect-error a required parameter that may be absent
void callApi(priced, { shopId: undefined as string | undefined })

// @ts-expect-error a misspelt parameter
void callApi(priced, { shopId: '1', prise: '12.50' })

// @ts-expect-error cents where yuan are sent
void callApi(priced, { shopId: '1', price: 1250 })

// @ts-expect-error a word where yes or no is sent
void callApi(priced, { shopId: '1', isOpen: 'yes' })

// @ts-expect-error an id as a number, which loses digits
void callApi(priced, { shopId: 1 })

// @ts-expect-error a parameter of a call that takes none
void callApi(plain, { shopId: '1' })

// @ts-expect-error a parameter of the path is missing
void callApi(one, {})

// @ts-expect-error an option of requests that there is not
void callApi(plain, {}, { silent: true })

// @ts-expect-error an asserted type of the answer
void callApi<{ total: string }>(priced, { shopId: '1' })

// @ts-expect-error a hook without its parameters
export const useUnasked = () => useCall(priced)

// @ts-expect-error an upload without its parameters
void callUpload(priced, new Blob())

// Reading its answer.

export async function wrongUseOfAnswers(): Promise<void> {
  const data = await callApi(priced, { shopId: '1' })
  // @ts-expect-error a misspelt field of the answer
  void data.totl
  // @ts-expect-error yuan as text are no figure to calculate with
  void (data.total * 100)
  // @ts-expect-error yuan taken for cents
  const cents: number = data.total
  // @ts-expect-error a state there is not
  void (data.state === 'shut')
  // @ts-expect-error a value that may be null
  void data.at.length
  // @ts-expect-error a text that may be absent
  void data.lines[0]!.note.length
  // @ts-expect-error one row taken for the list
  void data.lines.amount
  // @ts-expect-error an envelope that is open already
  void data.data
  void cents
}

// Answering it.

// @ts-expect-error an answer without one of its fields
defineRoute(priced, { ...route, handle: async () => ({ total: '1.00', state: 'open' as const, at: null }) })

// @ts-expect-error cents where yuan are answered
defineRoute(priced, { ...route, handle: async () => ({ ...answered, total: 100 }) })

// @ts-expect-error a state nobody declared
defineRoute(priced, { ...route, handle: async () => ({ ...answered, state: 'shut' }) })

// @ts-expect-error null where a text is answered
defineRoute(plain, { ...route, handle: async () => [{ id: null, amount: '1.00', pieces: 1 }] })

// @ts-expect-error one row where a list is answered
defineRoute(plain, { ...route, handle: async () => ({ id: '1', amount: '1.00', pieces: 1 }) })

// @ts-expect-error nothing where something is answered
defineRoute(priced, { ...route, handle: async () => undefined })

// @ts-expect-error a handler reads a parameter nobody declared
defineRoute(priced, { ...route, handle: async (call) => ({ ...answered, total: call.input.sum }) })

// @ts-expect-error an amount is cents in a handler, not text
defineRoute(priced, { ...route, handle: async ({ input: { price } }) => ({ ...answered, total: price ?? '0.00' }) })

defineRoute(priced, {
  ...route,
  parsesItself: true,
  // @ts-expect-error a parsed parameter where the handler parses itself
  handle: async (call) => ({ ...answered, total: call.input.shopId }),
})

// @ts-expect-error a route that says another path than its call
defineRoute(priced, { ...route, path: '/api/t/other', handle: async () => answered })

// @ts-expect-error a route that does not say who may call it
defineRoute(priced, { title: label, handle: async () => answered })
