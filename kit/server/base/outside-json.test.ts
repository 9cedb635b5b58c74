import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parseUntrustedJson } from './outside-json.ts'

test.each([
  ['{"name":"可\\u0000乐"}', { name: '可\ufffd乐' }],
  ['{"name":"half \\uD83E"}', { name: 'half \ufffd' }],
  ['{"\\u0000":["\\udc00",1,null,true]}', { '\ufffd': ['\ufffd', 1, null, true] }],
  ['{"whole":"\\uD83E\\uDD64","said":"\\\\u0000"}', { whole: '🥤', said: '\\u0000' }],
])('%s is read as what can be stored', (text, value) => {
  expect(parseUntrustedJson(text)).toEqual(value)
})

test('what is no JSON, or nests without end, is refused as JSON.parse refuses it', () => {
  expect(() => parseUntrustedJson('{')).toThrow(SyntaxError)
  expect(() => parseUntrustedJson(`${'['.repeat(5_000)}"\\u0000"${']'.repeat(5_000)}`)).toThrow(SyntaxError)
})

/** Files that may use `JSON.parse`, as they read only what this product wrote or its own forms sent. */
const OWN = [
  'domains/platform/code-generator/code.server.ts',
  'domains/platform/code-generator/tables.client.ts',
  'domains/platform/files/sealed-address.ts',
  'domains/sales/orders/refund.job.ts',
  'domains/money/payment-channels/money-moves.ts',
  'domains/insight/reports/report.server.ts',
  'domains/messaging/sms/sms-send.ts',
  'domains/devices/shelf-labels/layout-elements.ts',
  'domains/sales/delivery-platforms/sync.ts',
  'domains/messaging/wechat-messages/messages.ts',
  'domains/messaging/wechat-messages/server.ts',
  'domains/platform/workflow/approval-gate.ts',
  'domains/platform/workflow/effects.ts',
  'domains/platform/workflow/run-change.ts',
]

test('modules read what came from outside by the one function that makes it storable', () => {
  const root = join(import.meta.dirname, '../../../..')
  const found = globSync('domains/**/*.ts', { cwd: root })
    .filter((file) => !/\.(test|demo)\.ts$|\/use-[\w-]+\.ts$/.test(file))
    .filter((file) => readFileSync(join(root, file), 'utf8').includes('JSON.parse('))
    // It parses outputs that were stored in storable form.
    .filter((file) => file !== 'domains/insight/ai/findings.ts')
  expect(found.filter((file) => !OWN.includes(file)).toSorted()).toEqual([])
})
