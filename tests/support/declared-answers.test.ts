import { describe, expect, it, test } from 'vitest'
import Fastify from 'fastify'
import {
  arraySchema,
  dateTimeSchema,
  nullSchema,
  objectSchema,
  oneOfSchema,
  recordSchema,
  textSchema,
  integerSchema,
  enumSchema,
  yuanSchema,
} from '#kit/resource/response-schema.ts'
import { defineCall } from '#kit/resource/define-call.ts'
import { f } from '#kit/resource/f.ts'
import { defineRoute } from '#kit/server/module/module.ts'
import { compareAnswers, comparedAnswers, shapeFaults } from './declared-answers.ts'

const sale = objectSchema({
  no: textSchema,
  pieces: integerSchema,
  amount: yuanSchema,
  at: oneOfSchema(dateTimeSchema, nullSchema),
  way: enumSchema('cash', 'card'),
})
const good = { no: 'A', pieces: 2, amount: '3.50', at: null, way: 'cash' }

describe('the faults of a value against a shape', () => {
  it('are none where all is as declared', () => {
    expect(shapeFaults([good, { ...good, at: '2026-11-20 09:00:00' }], arraySchema(sale))).toEqual([])
  })

  it.each([
    ['a key is missing', { no: undefined }],
    ['a number is no whole one', { pieces: 1.5 }],
    ['money has one digit', { amount: '3.5' }],
    ['a word is unknown', { way: 'balance' }],
    ['no alternative fits', { at: 5 }],
    ['a key is not declared', { extra: 1 }],
  ])('are named where %s', (_what, change) => {
    const changed = JSON.parse(JSON.stringify({ ...good, ...change })) as object
    expect(shapeFaults(changed, sale)).toHaveLength(1)
  })
})

test('a record is compared value by value, whatever its keys', () => {
  expect(shapeFaults({ a: 1, b: 2 }, recordSchema(integerSchema))).toEqual([])
  expect(shapeFaults({ a: 1, b: 'two' }, recordSchema(integerSchema))).toHaveLength(1)
})

describe('the route of a declared call', () => {
  const call = defineCall({
    method: 'POST',
    path: '/api/t/x',
    input: { id: f.text({ label: { zh: '编号', en: 'ID' } }) },
    answer: objectSchema({ a: integerSchema }),
  })
  const route = { title: { zh: '', en: '' }, can: 'x' }

  test('has the method, path, parameters and answer of its call', () => {
    expect(defineRoute(call, { ...route, handle: async () => ({ a: 1 }) })).toMatchObject({
      method: 'POST',
      path: '/api/t/x',
      input: call.input,
      answers: call.answer,
      can: 'x',
    })
  })

  test('documents its parameters and does not parse them where its handler does', () => {
    const made = defineRoute(call, { ...route, parsesItself: true, handle: async () => ({ a: 1 }) })
    expect([made.input, made.documentedInput]).toEqual([undefined, call.input])
  })
})

describe('a server whose answers are compared', () => {
  it('answers 500 where an answer is not as declared, and remembers which calls were', async () => {
    const http = Fastify()
    const declared = [
      defineRoute({
        method: 'GET',
        path: '/right',
        title: { zh: '', en: '' },
        can: 'x',
        answers: objectSchema({ a: integerSchema }),
        handle: async () => 0,
      }),
      defineRoute({
        method: 'GET',
        path: '/wrong',
        title: { zh: '', en: '' },
        can: 'x',
        answers: objectSchema({ a: integerSchema }),
        handle: async () => 0,
      }),
    ]
    http.get('/right', async () => ({ code: 200, data: { a: 1 } }))
    http.get('/wrong', async () => ({ code: 200, data: { b: 1 } }))
    compareAnswers(http, declared, () => {})
    expect((await http.inject('/right')).statusCode).toBe(200)
    expect((await http.inject('/wrong')).statusCode).toBe(500)
    expect(comparedAnswers(http)).toEqual(['GET /right'])
    await http.close()
  })
})
