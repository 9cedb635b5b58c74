import { describe, expect, test } from 'vitest'
import { isEmptyInput, type Field, type Fields } from '#kit/fields/base/field-kind.ts'
import { hasValueLabel, isFieldRequired, isReferenceField, fieldKindOf, parseFieldInput } from '#kit/fields/kinds.ts'
import { isPersonalField } from '#kit/fields/base/masks.ts'
import { fieldProblemSentence } from '#kit/fields/problem-sentence.ts'
import { valueLabelKeyOf, permissionCodeOf, type Action, type Resource } from '#kit/resource/define-resource.ts'
import { measureFieldKeys } from '#kit/resource/measures.ts'
import type { LocalizedText } from '#kit/base/localized-text.ts'
import { isSecretFieldValue } from '#kit/server/database/change-log.ts'
import { canReadUnmasked } from '#kit/server/database/data-scope.ts'
import type { ServedResource } from '#kit/server/module/module.ts'
import { hasTenantColumn } from '#kit/server/database/row-sql.ts'
import type { Samples } from './samples.ts'
import { wireFaults, type TestCaller, type Wire, type TestWorld } from './world.ts'

type Any = Resource<any, any>

export type Cast = {
  /** Administrator of a tenant, with every permission. */
  owner: TestCaller
  /** Administrator of another tenant. */
  stranger: TestCaller
  /** Signed in with a role without permissions. */
  nobody: TestCaller
  /** Platform administrator. */
  platform: TestCaller
}

export type Stage = { world: TestWorld; cast: Cast; samples: Samples }

/** Resources whose rules differ from the contract, with the reason. A promise not named here must hold. */
export type Exceptions = Record<
  string,
  {
    reason: string
    skip?: readonly PromiseName[]
    notEchoed?: readonly string[]
    isMadeElsewhere?: boolean
    /** Submitting an existing unique name changes that row. */ isUpsert?: boolean
  }
>
type PromiseName = 'echo' | 'limits' | 'removal' | 'paging' | 'version' | 'strangers' | 'history' | 'restore'

const latin = /[A-Za-z0-9]/
const han = /\p{Script=Han}/u

/** Returns what is wrong with a pair of texts: one is missing, or in the other language. */
export function wordFaults(words: LocalizedText | undefined, where: string): string[] {
  if (!words) return []
  return [
    ...(typeof words.zh === 'string' && words.zh.trim() ? [] : [`${where} has no Chinese`]),
    ...(typeof words.en === 'string' && words.en.trim() ? [] : [`${where} has no English`]),
    ...(han.test(words.en ?? '') ? [`${where}: Chinese in the English "${words.en}"`] : []),
    ...(words.zh && !han.test(words.zh) && !latin.test(words.zh) ? [`${where}: no word in "${words.zh}"`] : []),
  ]
}

const fieldFaults = (fields: Fields, where: string): string[] =>
  Object.entries(fields).flatMap(([key, field]) =>
    (['label', 'help', 'group', 'patternWords', 'unit', 'emptyLabel'] as const).flatMap((part) =>
      wordFaults(field[part], `${where}.${key} ${part}`),
    ),
  )

/** Filter suffixes that a measure's `where` may use, so that a report's cell can open exactly its rows. */
const MEETS = /^(\w+)_(in|null|notnull)$/

/** Returns what is wrong with a resource's measures: fields that do not exist, filters that its list does not have. */
function measureFaults(resource: Any): string[] {
  const isStored = (key: string) => Object.hasOwn(resource.fields, key) && !resource.fields[key].computed
  return [
    ...Object.entries(resource.measures).flatMap(([name, measure]) => {
      const where = `${resource.name} measure ${name}`
      return [
        ...wordFaults(measure.label, where),
        ...wordFaults(measure.help, `${where} help`),
        ...(measure.sum && measure.average ? [`${where} is a sum or an average`] : []),
        ...measureFieldKeys(measure).flatMap((key) =>
          isStored(key) && fieldKindOf(resource.fields[key]).readsAs === 'number'
            ? []
            : [`${where}: "${key}" is no number that is kept`],
        ),
        ...Object.keys(measure.where ?? {}).flatMap((key) =>
          isStored(MEETS.exec(key)?.[1] ?? '') ? [] : [`${where}: "${key}" may meet no other filter`],
        ),
      ]
    }),
    ...(resource.dimensions ?? []).flatMap((key) =>
      key === 'createTime' || isStored(key) ? [] : [`${resource.name}: dimension "${key}" is no field that is kept`],
    ),
  ]
}

export function declarationFaults(resource: Any): string[] {
  const actions = Object.entries(resource.actions as Record<string, Action>)
  return [
    ...wordFaults(resource.label, resource.name),
    ...fieldFaults(resource.fields, resource.name),
    ...measureFaults(resource),
    ...Object.entries(resource.permissions).flatMap(([key, words]) =>
      wordFaults(words, `${resource.name} permission ${key}`),
    ),
    ...actions.flatMap(([key, action]) => [
      ...wordFaults(action.label, `${resource.name} action ${key}`),
      ...wordFaults(action.confirm, `${resource.name} action ${key} confirm`),
      ...fieldFaults(action.input ?? {}, `${resource.name} action ${key}`),
    ]),
  ]
}

/** Returns a value the field must refuse because of its limit; undefined when it has none. */
export const tooMuch = (field: Field): unknown => fieldKindOf(field).wrong?.(field)

/** Whether the field is a number or a text without a format. */
const isPlain = (field: Field): boolean => {
  const { isFree, document, readsAs } = fieldKindOf(field)
  return readsAs === 'number' || (!!isFree && !document)
}
const isWords = (field: Field): boolean => isPlain(field) && fieldKindOf(field).readsAs === 'text'

/** Fields that forms cannot change in an existing row, of kinds for which another value is easily made. */
const fixedFields = (resource: Any): [string, Field][] =>
  Object.entries(resource.fields as Fields).filter(
    ([, field]) => isPlain(field) && (field.form ?? 'edit') !== 'edit' && !field.computed && !field.secret,
  )

/** Whether the field's value comes with its label from the referred row or dictionary. */
const isNamed = (field: Field): boolean =>
  hasValueLabel(field) && !fieldKindOf(field).isParent && !field.secret && !!(field.to || field.dict)

/** Expects that a field reads back as it was sent, and secret ones not at all. */
function expectEcho(key: string, field: Field, sent: unknown, read: Record<string, unknown>): void {
  if (fieldKindOf(field).writeOnly) expect(['', '******', undefined]).toContain(read[key])
  else if (field.secret) expect(read, `secret ${key}`).not.toHaveProperty(key)
  else {
    const parsed = parseFieldInput(sent, field) as { value: unknown }
    expect([key, read[key]]).toEqual([key, fieldKindOf(field).wire(parsed.value, field)])
  }
}

const isNothing = (value: unknown): boolean => isEmptyInput(value) || value === -1

/** Whether the row must be found by this value in the field's search box. */
const isSearched = (field: Field, value: unknown): boolean =>
  !!field.search && field.search !== 'range' && !field.computed && !field.mask && !isNothing(value)

/** Whether the row must be found by this value with every filter operator of the field. */
const isFiltered = (field: Field, value: unknown): boolean => {
  const { document, writeOnly, isParent } = fieldKindOf(field)
  const isReadable = !field.computed && !field.secret && !field.mask && field.asked !== false
  return isReadable && !document && !writeOnly && !isParent && !isNothing(value)
}

const flat = (rows: any[]): any[] => rows.flatMap((row) => [row, ...flat((row.children as any[] | undefined) ?? [])])
const rowsOf = (answer: Wire): any[] => flat(Array.isArray(answer.data) ? answer.data : (answer.data?.records ?? []))

/**
 * Registers the tests that every resource passes without tests of its own (docs/style.md): permissions, refusals, echo,
 * other tenants. `stage` is called inside the tests only, so that they can be declared before a server exists.
 */
export function describeContract(served: ServedResource, stage: () => Stage, exceptions: Exceptions = {}): void {
  const { resource, hooks } = served
  const base = resource.path
  const list = `${base}/${resource.list.path}`
  const adding = `${base}/${resource.createPath ?? 'submit'}`
  const exception = exceptions[resource.name]
  const keeps = (name: PromiseName) => !exception?.skip?.includes(name)
  const isOffice = resource.writer === 'office' || hooks.allowManualEdit === true
  const adds = resource.writer === 'office' && !exception?.isMadeElsewhere
  const mounted = (path: string) => stage().world.routes.some((one) => one.path === path)
  const idKey = hooks.key ?? 'id'

  /**
   * Returns the caller who may write this resource: the tenant's administrator, or the platform's when rows belong to
   * the platform.
   */
  let writer: TestCaller | undefined
  const asWriter = async (): Promise<TestCaller> => {
    if (writer) return writer
    const { cast, world, samples } = stage()
    if (!hasTenantColumn(resource)) return (writer = cast.platform)
    if (!adds || !mounted(`${base}/submit`)) return (writer = cast.owner)
    const probe = await world.ask(cast.owner, 'POST', adding, {
      body: await samples.draft(resource, cast.owner.caller.tenantId),
    })
    return (writer = probe.data?.reason === 'platform_only' || probe.status === 403 ? cast.platform : cast.owner)
  }
  const tenantOf = (who: TestCaller) => who.caller.tenantId
  const detail = async (who: TestCaller, row: Record<string, any>) =>
    stage().world.ask(who, 'GET', `${base}/detail`, { query: { [idKey]: row[idKey] } })

  /** Returns how many rows the list finds for a query it must accept. */
  async function foundBy(who: TestCaller, query: Record<string, unknown>): Promise<number> {
    const found = await stage().world.ask(who, 'GET', list, { query: { ...query, size: 2 } })
    expect(found.code, JSON.stringify(query)).toBe(200)
    return rowsOf(found).length
  }

  /**
   * Expects that the list sorts by a column in both directions; for personal data it must refuse, since the order
   * reveals it.
   */
  async function expectSorted(who: TestCaller, key: string): Promise<void> {
    const field = (resource.fields as Fields)[key]
    const code = field && isPersonalField(field) && fieldKindOf(field).sortable ? 400 : 200
    for (const order of ['ascs', 'descs']) {
      const sorted = await stage().world.ask(who, 'GET', list, { query: { [order]: key, size: 2 } })
      expect([key, sorted.code]).toEqual([key, code])
    }
  }

  /** Creates a row: by `submit` where people can write it, else directly in the table. */
  async function aRow(): Promise<Record<string, any>> {
    const { world, samples } = stage()
    const who = await asWriter()
    if (!adds || !mounted(`${base}/submit`)) return samples.insert(served, tenantOf(who))
    const sent = await samples.draft(resource, tenantOf(who))
    const answer = await world.ask(who, 'POST', adding, { body: sent })
    expect(answer.body, `submit of ${JSON.stringify(sent)}`).toMatchObject({ code: 200, success: true })
    expect(answer.data.id).toMatch(/^\d+$/)
    return { ...sent, id: answer.data.id as string }
  }

  describe(`${resource.label.en} (${resource.name})`, () => {
    test('says everything in both languages', () => {
      expect(declarationFaults(resource)).toEqual([])
    })

    test('asks who calls, then what they may', async () => {
      const { world, cast } = stage()
      for (const [method, path] of [
        ['GET', list],
        ['GET', `${base}/detail`],
        ['POST', `${base}/submit`],
        ['POST', `${base}/remove`],
      ] as const) {
        if (!mounted(path)) continue
        const question = { query: { id: '1', ids: '1' }, ...(method === 'POST' ? { body: {} } : {}) }
        expect((await world.ask(undefined, method, path, question)).body, path).toMatchObject({
          code: 401,
          success: false,
        })
        const route = world.routes.find((one) => one.path === path)!
        if (typeof route.can === 'object' && 'signedIn' in route.can) continue
        expect((await world.ask(cast.nobody, method, path, question)).body, path).toMatchObject({
          code: 403,
          success: false,
        })
      }
    })

    test('lets nobody write who may only read', async () => {
      const { world, cast, samples } = stage()
      const reader = world.be({
        ...cast.nobody.caller,
        permissions: new Set([permissionCodeOf(resource, 'list'), permissionCodeOf(resource, 'view')]),
      })
      // Rows of resources nobody writes by hand come and go on their own (these very requests are logged), so counting
      // them proves nothing.
      const isWritten = mounted(`${base}/submit`) || mounted(`${base}/remove`)
      const before = isWritten && (await samples.countRows(resource))
      const answers = [
        await world.ask(reader, 'POST', adding, { body: await samples.draft(resource, tenantOf(reader)) }),
        await world.ask(reader, 'POST', `${base}/remove`, { query: { ids: '1' } }),
      ]
      for (const answer of answers) expect(isWritten ? [403, 404, 405] : [404, 405]).toContain(answer.status)
      if (isWritten) expect(await samples.countRows(resource)).toBe(before)
    })

    test('has samples that are valid by its own rules', async () => {
      const { samples, cast } = stage()
      const sample = await samples.draft(resource, cast.owner.caller.tenantId)
      for (const [key, field] of samples.writable(resource)) {
        if (isEmptyInput(sample[key])) expect([key, !field.required || isReferenceField(field)]).toEqual([key, true])
        else
          expect([key, sample[key], parseFieldInput(sample[key], field)]).toEqual([
            key,
            sample[key],
            { value: expect.anything() },
          ])
      }
    })

    if (adds) {
      test('keeps what was submitted, ignores what it does not know, and never answers null', async () => {
        const { world, samples } = stage()
        if (!keeps('echo') || !mounted(`${base}/submit`)) return
        const who = await asWriter()
        const sent = await samples.draft(resource, tenantOf(who))
        const answer = await world.ask(who, 'POST', adding, {
          body: { ...sent, $cellEdit: true, unknownKey: { deep: [1] }, children: [], hasChildren: false },
        })
        expect(answer.body, JSON.stringify(sent)).toMatchObject({ code: 200, success: true })
        const read = await detail(who, { ...sent, id: answer.data.id })
        expect(read.body).toMatchObject({ code: 200, success: true })
        expect(wireFaults(read.data)).toEqual([])
        expect(read.data).not.toHaveProperty('unknownKey')
        expect(read.data).not.toHaveProperty('$cellEdit')
        for (const [key, field] of samples.writable(resource)) {
          if (exception?.notEchoed?.includes(key) || sent[key] === undefined) continue
          // Callers who may read the value unmasked get it unmasked.
          const shown = canReadUnmasked(resource, field, who.caller) ? { ...field, mask: undefined } : field
          expectEcho(key, shown, sent[key], read.data)
          if (isNamed(field) && !isEmptyInput(sent[key])) {
            const words = valueLabelKeyOf(key, field)
            expect([words, read.data[words]]).not.toEqual([words, ''])
          }
        }
      })

      test('changes only what is sent, and refuses a change of a row somebody else changed meanwhile', async () => {
        const { world, samples } = stage()
        if (!keeps('version') || !resource.buttons.edit || !mounted(`${base}/submit`)) return
        const who = await asWriter()
        const row = await aRow()
        const before = (await detail(who, row)).data
        const key = samples
          .writable(resource)
          .find(
            ([name, field]) =>
              isWords(field) &&
              (field.form ?? 'edit') === 'edit' &&
              !field.pattern &&
              before[name] &&
              !resource.unique.some((set) => set.includes(name)),
          )?.[0]
        const patch = { id: row.id, ...(key ? { [key]: before[key] } : {}), version: before.version as number }
        expect((await world.ask(who, 'POST', `${base}/submit`, { body: patch })).body).toMatchObject({ code: 200 })
        const after = (await detail(who, row)).data
        for (const [name, field] of samples.writable(resource))
          if (!field.secret) expect([name, after[name]]).toEqual([name, before[name]])
        const late = await world.ask(who, 'POST', `${base}/submit`, { body: patch })
        expect(late.body).toMatchObject({ code: 409, success: false, data: { reason: 'changed_meanwhile' } })
        expect(wireFaults(late.body)).toEqual([])
        const now = { ...patch, version: after.version as number }
        const together = await Promise.all(
          Array.from({ length: 4 }, () => world.ask(who, 'POST', `${base}/submit`, { body: now })),
        )
        expect(together.map((one) => one.status).sort((a, b) => a - b)).toEqual([200, 409, 409, 409])
      })

      test(
        'takes a row back whole as it was read, and refuses a change it would ' + 'not take by the name of the field',
        async () => {
          const { world } = stage()
          if (
            !keeps('version') ||
            exceptions[resource.name]?.isUpsert ||
            !resource.buttons.edit ||
            !mounted(`${base}/submit`)
          )
            return
          const who = await asWriter()
          const row = await aRow()
          const submit = async (body: object) =>
            (await world.ask(who, 'POST', `${base}/submit`, { body })).body as {
              code: number
              data?: { reason?: string; fields?: object }
            }
          const whole = (await detail(who, row)).data
          const taken = await submit(whole)
          // The resource's own rules may refuse an invented row, but not for this reason.
          if (taken.code !== 200)
            expect([taken.data?.reason, taken.data?.fields]).not.toEqual([
              expect.stringMatching(/^(written_elsewhere|invalid)$/),
              expect.anything(),
            ])
          for (const [key, field] of fixedFields(resource)) {
            const other = isWords(field) ? `${String(whole[key])}0` : Number(whole[key]) + 1
            expect([key, await submit({ id: row.id, [key]: other })]).toEqual([
              key,
              expect.objectContaining({
                code: 400,
                data: expect.objectContaining({ fields: { [key]: expect.any(String) } }),
              }),
            ])
          }
        },
      )

      test(
        'remembers what people changed, tells it to who may see the row and to ' + 'nobody else, and sets it back',
        async () => {
          const { world, samples, cast } = stage()
          if (
            !keeps('history') ||
            !keeps('version') ||
            !resource.history ||
            !resource.buttons.edit ||
            !mounted(`${base}/submit`) ||
            !mounted(`${base}/detail`)
          )
            return

          const who = await asWriter()
          const row = await aRow()
          const before = (await detail(who, row)).data
          const other = await samples.draft(resource, tenantOf(who))
          const [key, field] =
            samples.writable(resource).find(
              ([name, one]) =>
                isPlain(one) &&
                (one.form ?? 'edit') === 'edit' &&
                !isSecretFieldValue(one, name, other) &&
                !exception?.notEchoed?.includes(name) &&
                // Another address of a provider also needs its secret.
                !(name === 'endpoint' && 'mayBeInside' in resource.fields) &&
                !resource.unique.some((set) => set.includes(name)) &&
                before[name] !== undefined &&
                other[name] !== undefined &&
                String(before[name]) !== String(other[name]),
            ) ?? []

          if (!key || !field) return
          const changed = await world.ask(who, 'POST', `${base}/submit`, { body: { id: row.id, [key]: other[key] } })
          expect([key, changed.body]).toEqual([key, expect.objectContaining({ code: 200 })])
          const now = (await detail(who, row)).data
          const ask = (caller: TestCaller) =>
            world.ask(caller, 'GET', `/api/kit/history/${resource.name}`, { query: { id: row.id } })
          const history = await ask(who)
          expect([key, history.data.records?.[0]]).toEqual([
            key,
            expect.objectContaining({ kind: 'edit', keys: expect.arrayContaining([key]) }),
          ])

          expect([key, history.data.records[0].was[key], history.data.records[0].now[key]]).toEqual([
            key,
            before[key],
            now[key],
          ])
          expect(wireFaults(history.data)).toEqual([])
          expect((await ask(cast.nobody)).status).toBe(403)
          if (hasTenantColumn(resource)) expect((await ask(cast.stranger)).status).toBe(404)

          const set = await world.ask(who, 'POST', `/api/kit/history/${resource.name}/restore`, {
            body: { id: row.id, change: history.data.records[0].id },
          })
          expect([key, set.body]).toEqual([key, expect.objectContaining({ code: 200 })])
          expect([key, (await detail(who, row)).data[key]]).toEqual([key, before[key]])
          expect((await ask(who)).data.records.length).toBe(history.data.records.length + 1)
        },
      )

      test('lets the same row in once, however many send it at the same time', async () => {
        const { world, samples } = stage()
        const made = await samples.draft(resource, tenantOf(await asWriter()))
        const sets = resource.unique.filter((set) => set.every((key) => !isEmptyInput(made[key])))
        if (!keeps('echo') || !sets.length || !mounted(`${base}/submit`)) return
        const who = await asWriter()
        const before = await samples.countRows(resource)
        const answers = await Promise.all(
          Array.from({ length: 5 }, () => world.ask(who, 'POST', adding, { body: made })),
        )
        const statuses = answers.map((one) => one.status).sort((a, b) => a - b)
        if (exception?.isUpsert)
          expect([statuses[0], statuses.filter((status) => ![200, 400].includes(status))]).toEqual([200, []])
        else expect(statuses).toEqual([200, 400, 400, 400, 400])
        expect(await samples.countRows(resource)).toBe(before + 1)
      })

      test(
        'refuses what is missing and what is too much by the right label, in ' + 'both languages, and writes nothing',
        async () => {
          const { world, samples } = stage()
          if (!keeps('limits') || !mounted(`${base}/submit`)) return
          const who = await asWriter()
          const fields = samples.writable(resource).filter(([key]) => !exception?.notEchoed?.includes(key))
          const before = await samples.countRows(resource)
          for (const lang of ['zh', 'en'] as const) {
            const required = fields.filter(([, field]) => field.required && field.default === undefined)
            if (required.length) {
              const blank = await world.ask(who, 'POST', adding, {
                body: Object.fromEntries(required.map(([key]) => [key, ''])),
                lang,
              })
              expect(blank.body).toMatchObject({ code: 400, success: false, data: { reason: 'invalid' } })
              for (const [key, field] of required)
                expect([key, blank.data.fields[key]]).toEqual([
                  key,
                  fieldProblemSentence({ code: 'required' }, field, lang),
                ])
            }
            const wrong = fields.filter(([, field]) => tooMuch(field) !== undefined)
            const whole = await samples.draft(resource, tenantOf(who))
            const over = await world.ask(who, 'POST', adding, {
              body: { ...whole, ...Object.fromEntries(wrong.map(([key, field]) => [key, tooMuch(field)])) },
              lang,
            })
            if (!wrong.length) continue
            expect(over.body).toMatchObject({ code: 400, success: false, data: { reason: 'invalid' } })
            for (const [key, field] of wrong)
              expect([key, over.data.fields[key] ?? ''], key).toEqual([
                key,
                expect.stringContaining(field.patternWords ? '' : field.label[lang]),
              ])
            for (const [key] of wrong) expect([key, isEmptyInput(over.data.fields[key])]).toEqual([key, false])
          }
          expect(await samples.countRows(resource)).toBe(before)
        },
      )

      const dependent = Object.entries<Field>(resource.fields).filter(([, field]) => field.requiredWhen)
      if (dependent.length)
        test('refuses what is missing beside a value that asks for it', async () => {
          const { world, samples } = stage()
          if (!mounted(`${base}/submit`)) return
          const who = await asWriter()
          const before = await samples.countRows(resource)
          for (const [key, field] of dependent) {
            const whole = await samples.draft(resource, tenantOf(who))
            for (const [other, { eq, ne, in: among } = {}] of Object.entries(field.requiredWhen!)) {
              const conditionField = resource.fields[other] as Field
              const own = isEmptyInput(whole[other])
                ? fieldKindOf(conditionField).sample(conditionField, 1)
                : whole[other]
              whole[other] = eq ?? among?.[0] ?? (own === ne ? conditionField.default : own)
            }
            expect([key, isFieldRequired(field, whole)]).toEqual([key, true])
            const answer = await world.ask(who, 'POST', adding, { body: { ...whole, [key]: '' } })
            expect([key, answer.status, answer.data?.fields?.[key]]).toEqual([
              key,
              400,
              fieldProblemSentence({ code: 'required' }, field, 'zh'),
            ])
          }
          expect(await samples.countRows(resource)).toBe(before)
        })
    } else {
      test('is written elsewhere: people read it, and cannot add or remove', async () => {
        const { world, cast, samples } = stage()
        const who = await asWriter()
        const row = await aRow()
        if (mounted(`${base}/detail`)) {
          const read = await detail(who, row)
          expect(read.body).toMatchObject({ code: 200, data: { id: String(row.id) } })
          expect(wireFaults(read.data)).toEqual([])
        }
        const isWritten = mounted(`${base}/submit`) || mounted(`${base}/remove`)
        const before = isWritten && (await samples.countRows(resource))
        if (mounted(`${base}/submit`)) {
          const added = await world.ask(cast.owner, 'POST', adding, {
            body: await samples.draft(resource, tenantOf(who)),
          })
          expect([400, 403]).toContain(added.status)
          if (!exception?.isMadeElsewhere)
            expect(added.data.reason).toMatch(/written_elsewhere|not_by_hand|platform_only|invalid/)
          if (!isOffice)
            expect(
              (await world.ask(cast.owner, 'POST', `${base}/submit`, { body: { id: row.id } })).data.reason,
            ).toMatch(/written_elsewhere|not_by_hand|platform_only/)
        }
        if (mounted(`${base}/remove`) && resource.remove === false) {
          expect((await world.ask(who, 'POST', `${base}/remove`, { query: { ids: row.id } })).data.reason).toMatch(
            /written_elsewhere|not_removable|kept_for_good/,
          )
        }
        if (isWritten) expect(await samples.countRows(resource)).toBe(before)
      })
    }

    test('lists what is there in pages without gap or overlap, and its total is true', async () => {
      const { world } = stage()
      if (!keeps('paging') || !mounted(list)) return
      const who = await asWriter()
      const mine = [await aRow(), await aRow(), await aRow()].map((row) => String(row.id))
      // Logs grow by these very requests, so only the pages of these rows are compared.
      const only = mounted(`${base}/submit`) || mounted(`${base}/remove`) ? {} : { id_in: mine.join(',') }
      const first = await world.ask(who, 'GET', list, { query: { ...only, current: 1, size: 2 } })
      expect(first.body).toMatchObject({ code: 200, success: true })
      expect(wireFaults(first.data)).toEqual([])
      if (Array.isArray(first.data)) {
        const ids = rowsOf(first).map((row) => row.id as string)
        expect(ids).toEqual(expect.arrayContaining(mine))
        expect(new Set(ids).size).toBe(ids.length)
        return
      }
      const { total } = first.data as { total: number }
      expect(first.data).toMatchObject({ current: 1, size: 2, pages: Math.ceil(total / 2) })
      expect(first.data.records.length).toBe(Math.min(2, total))
      const size = Math.min(1000, Math.max(2, Math.ceil(total / 3)))
      const seen: string[] = []
      for (let current = 1; current <= Math.ceil(total / size); current++) {
        const page = await world.ask(who, 'GET', list, { query: { ...only, current, size } })
        expect(page.data).toMatchObject({ total, current, size })
        seen.push(...page.data.records.map((row: { id: string }) => row.id))
      }
      expect(seen.length).toBe(total)
      expect(new Set(seen).size).toBe(total)
      expect(seen).toEqual(expect.arrayContaining(mine))
      const beyond = await world.ask(who, 'GET', list, {
        query: { ...only, current: Math.ceil(total / size) + 5, size },
      })
      expect(beyond.data).toMatchObject({ records: [], total })
    })

    test('finds its rows by every search field and sorts by every column that sorts', async () => {
      const { world } = stage()
      if (!keeps('paging') || !mounted(list) || hooks.list) return
      const who = await asWriter()
      const row = await aRow()
      const read = (await detail(who, row)).data as Record<string, unknown>
      for (const [key, field] of Object.entries(resource.fields as Fields)) {
        if (!isSearched(field, read[key])) continue
        const found = await world.ask(who, 'GET', list, {
          query: { [key]: read[key], size: 1000, descs: 'createTime' },
        })
        expect([key, found.code, rowsOf(found).some((one) => one.id === String(row.id))]).toEqual([key, 200, true])
      }
      // Every stored field supports every operator: the row must be found by its values and not by others.
      const holding: Record<string, unknown> = {}
      for (const [key, field] of Object.entries(resource.fields as Fields)) {
        if (!isFiltered(field, read[key])) continue
        Object.assign(holding, { [`${key}_equal`]: read[key], [`${key}_notnull`]: 1 })
        for (const [suffix, given] of [
          ['_notequal', read[key]],
          ['_null', 1],
        ] as const) {
          if (suffix === '_notequal' && fieldKindOf(field).many) continue
          const found = await foundBy(who, { id: row.id, [`${key}${suffix}`]: given })
          expect([`${key}${suffix}`, given, found]).toEqual([`${key}${suffix}`, given, 0])
        }
      }
      // All filters in one request; each alone only when that fails, to name the wrong one.
      if ((await foundBy(who, { id: row.id, ...holding })) !== 1) {
        for (const [filter, given] of Object.entries(holding))
          expect([filter, given, await foundBy(who, { id: row.id, [filter]: given })]).toEqual([filter, given, 1])
        expect.fail(`each of these finds the row, all of them do not: ${JSON.stringify(holding)}`)
      }
      for (const key of resource.list.columns) await expectSorted(who, key)
    })

    test('is not there for another tenant: not to read, not to change, not to remove', async () => {
      const { world, cast, samples } = stage()
      if (!keeps('strangers') || !hasTenantColumn(resource)) return
      const who = await asWriter()
      const row = who === cast.owner ? await aRow() : await samples.insert(served, tenantOf(cast.owner))

      const storedRow = async () =>
        JSON.stringify(
          await world.services.unit({ tenantId: cast.owner.caller.tenantId, crossTenantReason: 'a test looks' }, (db) =>
            db.get(resource, String(row.id)),
          ),
        )

      const before = await storedRow()
      expect(before).toBeDefined()
      for (const other of [cast.stranger, world.be({ ...cast.stranger.caller, isAdmin: false, roleAliases: [] })]) {
        if (mounted(`${base}/detail`))
          expect((await world.ask(other, 'GET', `${base}/detail`, { query: { id: row.id } })).body).toMatchObject({
            code: 404,
            data: { reason: 'not_found' },
          })
        if (mounted(list))
          expect(
            rowsOf(await world.ask(other, 'GET', list, { query: { size: 1000, id: row.id } })).map(
              (one) => one.id as string,
            ),
          ).not.toContain(String(row.id))
        if (mounted(`${base}/submit`)) {
          const stolen = await world.ask(other, 'POST', `${base}/submit`, {
            body: {
              ...(await samples.draft(resource, tenantOf(other))),
              id: row.id,
              tenantId: cast.owner.caller.tenantId,
            },
          })
          expect([stolen.status, stolen.data.reason]).toEqual(
            isOffice && stolen.status !== 403
              ? [404, 'not_found']
              : [stolen.status === 403 ? 403 : 400, expect.any(String)],
          )
        }
        if (mounted(`${base}/remove`)) {
          const removed = await world.ask(other, 'POST', `${base}/remove`, { query: { ids: row.id } })
          expect(removed.success).toBe(false)
          if (resource.remove !== false && removed.status !== 403)
            expect(removed.body).toMatchObject({ code: 404, data: { reason: 'not_found' } })
        }
        const choices = await world.ask(other, 'GET', `/api/kit/options/${resource.name}`, { query: { ids: row.id } })
        expect(choices.data).toEqual([])
      }

      expect(await storedRow()).toBe(before)
    })

    test('shows and gives only their own rows to whoever is scoped to them', async () => {
      const { world, cast, samples } = stage()
      if (!hasTenantColumn(resource)) return
      const row = await samples.insert(served, tenantOf(cast.owner))
      const scoped = (type: number, value: string | null = null) =>
        world.be({
          ...cast.owner.caller,
          isAdmin: false,
          roleAliases: ['clerk'],
          dataScopes: [{ resourceCode: resource.code, type, column: null, value }],
        })
      for (const who of [scoped(2), scoped(3), scoped(5, 'id = 1'), scoped(5, 'nonsense; drop'), scoped(9)]) {
        if (mounted(`${base}/detail`)) expect((await detail(who, row)).body).toMatchObject({ code: 404 })
        if (mounted(list))
          expect(
            rowsOf(await world.ask(who, 'GET', list, { query: { size: 1000, id: row.id } })).map(
              (one) => one.id as string,
            ),
          ).not.toContain(String(row.id))
        expect(
          (await world.ask(who, 'GET', `/api/kit/options/${resource.name}`, { query: { ids: row.id } })).data,
        ).toEqual([])
        if (mounted(`${base}/submit`))
          expect(
            (
              await world.ask(who, 'POST', `${base}/submit`, {
                body: { ...(await samples.draft(resource, tenantOf(who))), id: row.id },
              })
            ).success,
          ).toBe(false)
        if (mounted(`${base}/remove`))
          expect((await world.ask(who, 'POST', `${base}/remove`, { query: { ids: row.id } })).success).toBe(false)
      }
      const [all, custom] = [scoped(1), scoped(5, `id = ${row.id}`)]
      for (const who of mounted(`${base}/detail`) ? [all, custom] : []) expect((await detail(who, row)).code).toBe(200)
    })

    test('removes a comma list, all of it or nothing', async () => {
      const { world } = stage()
      if (!keeps('removal') || resource.remove === false || !mounted(`${base}/remove`)) return
      const who = await asWriter()
      const rows = [await aRow(), await aRow()]
      const ids = rows.map((row) => row[idKey] as string)
      const missing = await world.ask(who, 'POST', `${base}/remove`, {
        query: { ids: [...ids, '4611686018427387904'].join(',') },
      })
      if (idKey === 'id') expect(missing.body).toMatchObject({ code: 404, success: false })
      for (const row of rows) if (idKey === 'id') expect((await detail(who, row)).code).toBe(200)
      expect((await world.ask(who, 'POST', `${base}/remove`, { query: { ids: '' } })).body).toMatchObject({
        code: 400,
        data: { reason: 'nothing_chosen' },
      })
      expect((await world.ask(who, 'POST', `${base}/remove`, { query: { ids: ids.join(',') } })).body).toMatchObject({
        code: 200,
        success: true,
      })
      for (const row of rows) expect((await detail(who, row)).code).toBe(404)
      expect((await world.ask(who, 'POST', `${base}/remove`, { query: { ids: ids.join(',') } })).success).toBe(false)
    })

    test(
      'takes removed rows back from the recycle bin as they were, for who may ' + 'remove them and for nobody else',
      async () => {
        const { world, cast } = stage()
        if (
          !keeps('removal') ||
          !keeps('restore') ||
          resource.remove === false ||
          idKey !== 'id' ||
          !mounted(`${base}/remove`) ||
          !mounted(`${base}/detail`)
        )
          return

        const who = await asWriter()
        const bin = `/api/kit/bin/${resource.name}`
        const restore = (caller: TestCaller, ids: unknown) =>
          world.ask(caller, 'POST', `${bin}/restore`, { body: { ids } })
        if (!resource.restore) return expect((await restore(who, '1')).data.reason).toBe('not_restorable')
        const row = await aRow()
        const before = (await detail(who, row)).data as Record<string, unknown>
        const preview = await world.ask(who, 'POST', `/api/kit/bulk/${resource.name}/preview`, {
          body: { operation: 'remove', ids: [row.id] },
        })

        expect(preview.body).toMatchObject({ code: 200, data: { count: 1, refused: 0 } })
        expect(
          (
            await world.ask(who, 'POST', `/api/kit/bulk/${resource.name}`, {
              body: { operation: 'remove', ids: [row.id], expectedCount: 2 },
            })
          ).body,
        ).toMatchObject({ code: 409, data: { reason: 'set_moved', count: 1 } })

        expect((await detail(who, row)).code).toBe(200)
        expect(
          (
            await world.ask(who, 'POST', `/api/kit/bulk/${resource.name}`, {
              body: { operation: 'remove', ids: [row.id], expectedCount: 1 },
            })
          ).body,
        ).toMatchObject({ code: 200, data: { done: 1 } })

        expect((await detail(who, row)).code).toBe(404)
        const lying = await world.ask(who, 'GET', bin, { query: { size: 1000 } })
        expect(lying.data.records.map((one: { id: string }) => one.id)).toContain(String(row.id))
        expect(wireFaults(lying.data)).toEqual([])
        expect((await restore(cast.nobody, row.id)).status).toBe(403)
        if (hasTenantColumn(resource)) {
          expect((await world.ask(cast.stranger, 'GET', bin, { query: { size: 1000 } })).data.records ?? []).toEqual([])
          expect([403, 404]).toContain((await restore(cast.stranger, row.id)).status)
        }

        const back = await restore(who, row.id)
        expect([row.id, back.body]).toEqual([row.id, expect.objectContaining({ code: 200 })])
        const after = (await detail(who, row)).data as Record<string, unknown>
        for (const [key] of stage().samples.writable(resource)) expect([key, after[key]]).toEqual([key, before[key]])
      },
    )
  })
}
