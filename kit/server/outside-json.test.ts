import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readOutside } from './outside-json.ts'

test.each([
  ['{"name":"可\\u0000乐"}', { name: '可\ufffd乐' }],
  ['{"name":"half \\uD83E"}', { name: 'half \ufffd' }],
  ['{"\\u0000":["\\udc00",1,null,true]}', { '\ufffd': ['\ufffd', 1, null, true] }],
  ['{"whole":"\\uD83E\\uDD64","said":"\\\\u0000"}', { whole: '🥤', said: '\\u0000' }],
])('%s is read as what can be stored', (text, value) => {
  expect(readOutside(text)).toEqual(value)
})

test('what is no JSON, or nests without end, is refused as JSON.parse refuses it', () => {
  expect(() => readOutside('{')).toThrow(SyntaxError)
  expect(() => readOutside(`${'['.repeat(5_000)}"\\u0000"${']'.repeat(5_000)}`)).toThrow(SyntaxError)
})

/** What reads only what this product wrote itself, or what a form of it sent. */
const OWN = [
  'domains/develop/code.server.ts',
  'domains/develop/tables.client.ts',
  'domains/files/sealed-address.ts',
  'domains/orders/refund.job.ts',
  'domains/payments/money-moves.ts',
  'domains/report/report.server.ts',
  'domains/sms/sms-send.ts',
  'domains/tags/layout-elements.ts',
  'domains/thirdparty/sync.ts',
  'domains/wechat/messages.ts',
  'domains/wechat/server.ts',
  'domains/workflow/approval-gate.ts',
  'domains/workflow/effects.ts',
  'domains/workflow/run-change.ts',
]

test('rooms read what came from outside by the one function that makes it storable', () => {
  const root = join(import.meta.dirname, '../..')
  const found = globSync('domains/**/*.ts', { cwd: root })
    .filter((file) => !/\.(test|story)\.ts$|\/use-[\w-]+\.ts$/.test(file))
    .filter((file) => readFileSync(join(root, file), 'utf8').includes('JSON.parse('))
    // Kept outputs are put together from what was read.
    .filter((file) => file !== 'domains/ai/findings.ts')
  expect(found.filter((file) => !OWN.includes(file)).toSorted()).toEqual([])
})
