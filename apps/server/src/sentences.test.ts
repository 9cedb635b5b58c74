import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Fields } from '#kit/fields/base/field-kind.ts'
import { fieldKindOf } from '#kit/fields/kinds.ts'
import { interpolate } from '#kit/base/localized-text.ts'
import type { Action } from '#kit/resource/index.ts'
import { createModuleRegistry } from '#kit/server/mount/mount.ts'
import { Refused, refusalCatalogue } from '#kit/server/base/refused.ts'
import { refusalResponse } from '#kit/server/request/envelope.ts'
import type { CastMember } from '#tests/support/server.ts'
import { createTestTenants, type TestTenants } from '#tests/support/test-tenants.ts'
import { productModules } from './modules.ts'

const placeholders = (sentence: string) => [...sentence.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!)
/** Placeholders for a remaining quantity: at zero the sentence must say that nothing is left. */
const LEFT = new Set(['left', 'limit', 'open', 'stock', 'remaining', 'balance', 'integral'])

/** Matches a plural that stays plural when the number before it is one. */
const STIFF_PLURAL =
  /(?<!\$)\{(?:count|times|pieces|days|steps|orders|lines|rows|cells|shops)\} (?:(?!ms)[a-z]+s|people|are|were)\b/g

describe('an English sentence', () => {
  test('counts one as one: the word behind a number that may be one follows it', () => {
    expect([0, 1, '1', 2].map((count) => interpolate('{count} {count|row is|rows are} gone', { count }))).toEqual([
      '0 rows are gone',
      '1 row is gone',
      '1 row is gone',
      '2 rows are gone',
    ])
    const root = join(import.meta.dirname, '../../..')
    const sources = globSync(['kit/**/*.{ts,tsx}', 'domains/**/*.{ts,tsx}', 'apps/web/src/**/*.{ts,tsx}'], {
      cwd: root,
    })
    const stiff = sources
      .filter((path) => !path.includes('.test'))
      .flatMap((path) => readFileSync(join(root, path), 'utf8').match(STIFF_PLURAL) ?? [])
    expect(sources.length).toBeGreaterThan(1_000)
    expect(stiff).toEqual([])
  })
})

describe('a refusal, read aloud,', () => {
  const registry = createModuleRegistry(productModules)

  test('tells of nothing left in words, and never of “0.00”', () => {
    const mute = [...refusalCatalogue()].filter(
      ([, { zh, none }]) => placeholders(zh).some((name) => LEFT.has(name)) && !none,
    )
    expect(mute.map(([code]) => code)).toEqual([])
    for (const [code, { zh, en, none }] of refusalCatalogue()) {
      if (!none) continue
      expect([code, placeholders(none.zh).sort()]).toEqual([code, placeholders(none.en).sort()])
      expect([
        code,
        placeholders(none.zh).filter((name) => name === none.of || !placeholders(zh + en).includes(name)),
      ]).toEqual([code, []])
    }
    const sentence = (left: unknown) =>
      refusalResponse(new Refused('refund_too_much', { name: '可乐', left }), 'zh').body.msg
    expect([sentence('2.50'), sentence('0.00'), sentence(0)]).toEqual([
      '“可乐”最多还可退 2.50 元',
      '“可乐”的金额已全部退款或在退款中',
      '“可乐”的金额已全部退款或在退款中',
    ])
  })

  test('names an action that is not possible now without bending it into the sentence', () => {
    const labels = [...registry.served.values()].flatMap(({ resource }) =>
      Object.values(resource.actions as Record<string, Action>).map(({ label }) => label),
    )
    const { zh } = refusalCatalogue().get('action_not_now')!
    const doubled = labels
      .map((label) => interpolate(zh, { action: label.zh }))
      .filter((sentence) => /不能(不|未|再)|不能\S*不能/.test(sentence))
    expect(doubled).toEqual([])
  })
})

describe('a confirmation', () => {
  const registry = createModuleRegistry(productModules)
  const sentences = [...registry.served.values()].flatMap(({ resource }) =>
    Object.entries(resource.actions as Record<string, Action>).flatMap(([key, { confirm }]) =>
      confirm
        ? [confirm.zh, confirm.en].map((sentence) => ({ of: `${resource.name}.${key}`, resource, sentence }))
        : [],
    ),
  )
  /** Finds units around a placeholder whose value already contains one. */
  const doubled = (fields: Fields, sentence: string) =>
    [...sentence.matchAll(/([¥￥$]?) ?\{(\w+)\} ?(%|元|CNY|RMB)?/g)].filter(([, before, name, after]) => {
      const kind = fields[name!] && fieldKindOf(fields[name!]!)
      return kind && ((kind.currency && (before || (after && after !== '%'))) || (kind.suffix && after === kind.suffix))
    })

  test('has the sign of an amount once: the value brings it', () => {
    const amounts = sentences.filter(({ resource, sentence }) =>
      placeholders(sentence).some((name) => resource.fields[name] && fieldKindOf(resource.fields[name]).currency),
    )
    expect(amounts.length).toBeGreaterThan(8)
    const twice = sentences.filter(({ resource, sentence }) => doubled(resource.fields, sentence).length)
    expect(twice.map(({ of, sentence }) => `${of}: ${sentence}`)).toEqual([])
    const { fields } = registry.served.get('refunds')!.resource
    expect(doubled(fields, 'Approve the refund of ¥{amount}?')).toHaveLength(1)
    expect(doubled(fields, '退款 {amount} 元？')).toHaveLength(1)
  })
})

describe('who may not write', () => {
  let tenants: TestTenants
  let clerk: CastMember
  let guest: CastMember
  beforeAll(async () => {
    tenants = await createTestTenants()
    clerk = await tenants.person(tenants.north, 'clerk', ['noticeLog', 'storageLog', 'event', 'client'])
    guest = await tenants.person(tenants.north, 'guest', ['desk'])
  })
  afterAll(() => tenants.close())
  const write = (who: CastMember, resource: string, call: 'submit' | 'remove') =>
    tenants.call(
      who,
      'POST',
      `/api/shop/${resource}/${call}`,
      call === 'remove' ? { query: { ids: '1' } } : { body: { id: '1', remark: 'x' } },
    )

  test('a row of the system is told that nobody does, and not only that he may not', async () => {
    for (const who of [clerk, tenants.north.admin]) {
      expect(await write(who, 'noticeLog', 'submit')).toMatchObject({
        status: 403,
        data: { reason: 'not_by_hand' },
        body: { msg: '“通知记录”由系统生成，不能手动新增或修改' },
      })
      expect(await write(who, 'noticeLog', 'remove')).toMatchObject({ status: 403, data: { reason: 'kept_for_good' } })
    }
    expect(await write(clerk, 'storageLog', 'submit')).toMatchObject({ status: 403, data: { reason: 'not_by_hand' } })
    const reasonOf = async (resource: string, call: 'submit' | 'remove') =>
      (await write(tenants.north.admin, resource, call)).data.reason
    expect([await reasonOf('aiTaskLog', 'submit'), await reasonOf('aiTaskLog', 'remove')]).toEqual([
      'not_by_hand',
      'kept_for_good',
    ])
    expect([await reasonOf('shoppingOrderDetail', 'submit'), await reasonOf('shopConf', 'remove')]).toEqual([
      'not_by_hand',
      'goes_by_itself',
    ])
  })

  test('what he may not even see learns nothing of it', async () => {
    for (const call of ['submit', 'remove'] as const)
      expect(await write(guest, 'noticeLog', call)).toMatchObject({ status: 403, data: { reason: 'forbidden' } })
  })

  test('what a role may be granted is told that he may not', async () => {
    expect(await write(clerk, 'goodInfo', 'submit')).toMatchObject({ status: 403, data: { reason: 'forbidden' } })
  })
})
