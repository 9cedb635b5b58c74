import { describe, expect, it } from 'vitest'
import Fastify from 'fastify'
import {
  arraySchema,
  dateTimeSchema,
  nullSchema,
  objectSchema,
  oneOfSchema,
  textSchema,
  integerSchema,
  enumSchema,
  yuanSchema,
} from '../server/request/answer-shape.ts'
import { defineRoute } from '../server/module.ts'
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
