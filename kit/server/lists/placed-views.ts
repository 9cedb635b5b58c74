import sql from 'sql-template-tag'
import { formatYuan } from '../../fields/money/cents.ts'
import type { Field } from '../../fields/base/field-kind.ts'
import { fieldKindOf } from '../../fields/kinds.ts'
import { f } from '../../resource/f.ts'
import { measureFieldKeys } from '../../resource/measures.ts'
import type { Measure } from '../../resource/measure.ts'
import type { Resource } from '../../resource/define-resource.ts'
import { canReadField, canReadUnmasked } from '../database/data-scope.ts'
import { readBatch } from '../database/db.ts'
import { columnNameSql } from '../database/row-sql.ts'
import { Refused } from '../base/refused.ts'
import { unitOfWorkOptionsForRead, handleListCall, visibleRowsSql } from '../resource/list-of.ts'
import { invalidInputRefusal, defineRoute, type Call } from '../module/module.ts'
import { queryFilterSql } from '../query/filters.ts'
import { TOTAL_CAP } from '../query/totals.ts'
import { findPlacedViews, type ViewPlacement } from './views.ts'

type PlacedViewRow = Awaited<ReturnType<typeof findPlacedViews>>[number]

const places: readonly ViewPlacement[] = ['tab', 'tile', 'link']

/**
 * Amount that can be totalled for rows of a resource: the field of its first plain sum of money, if the caller may read
 * it.
 */
function amountOf(resource: Resource<any, any>, { caller }: Call): [string, Field] | undefined {
  const isPlain = (measure: Measure) => measure.sum !== undefined && measureFieldKeys(measure).length === 1
  const sums = Object.values(resource.measures).filter(isPlain)
  const key = sums.map(({ sum }) => sum!).find((one) => fieldKindOf(resource.fields[one] as Field).currency)
  const field = key === undefined ? undefined : (resource.fields[key] as Field)
  if (!field || !canReadField(resource, key!, caller) || !canReadUnmasked(resource, field, caller)) return undefined
  return [key!, field]
}

/** Counts a view's rows for its reader, with the total amount if the resource has one. */
async function counted(call: Call, { served, filters }: PlacedViewRow) {
  const { resource } = served
  const page = await handleListCall(served, { ...call, query: { ...filters, size: '1' } })
  const isWhole = Array.isArray(page)
  const count = isWhole ? page.length : page.total
  const isCapped = !isWhole && page.totalCapped === true
  const amount = amountOf(resource, call)
  if (!amount || isCapped || count > TOTAL_CAP) return { count, isCapped }
  const [key, { label }] = amount
  const viewCall = { ...call, query: filters }
  const [rows] = await readBatch(call.services.pool, unitOfWorkOptionsForRead(call), [
    sql`select coalesce(sum(r.${columnNameSql(key)}), 0) as cents ${visibleRowsSql(served, viewCall)}${queryFilterSql(
      resource,
      filters,
      call.caller,
    )}`,
  ])
  return { count, isCapped, amount: formatYuan(Number(rows![0]!.cents)), amountLabel: label[call.lang] }
}

/** Like `counted`, but empty where a filter is hidden from the reader or counting takes too long. */
async function countOf(call: Call, view: PlacedViewRow): Promise<object> {
  if (view.isLess) return {}
  try {
    return await counted(call, view)
  } catch (error) {
    if (error instanceof Refused) return {}
    throw error
  }
}

const place = f.text({ label: { zh: '位置', en: 'Position' }, required: true, max: 10 })

export const placedViewRoutes = [
  defineRoute({
    method: 'GET',
    path: '/api/kit/placed-views',
    title: { zh: '标签、卡片与链接视图', en: 'Views shown as tabs, tiles and links' },
    can: { signedIn: "views of one's own and of the roles one acts in, of resources one may list" },
    tx: false,
    input: { place, family: f.text({ label: { zh: '数据', en: 'Data' }, max: 60 }) },
    handle: async (call) => {
      const { services, caller, lang, input } = call
      const at = places.find((one) => one === input.place)
      if (!at) throw invalidInputRefusal({ place: { problem: { code: 'not_a_choice' }, field: place } })
      const views = await services.unit({ tenantId: caller.tenantId }, (db) =>
        findPlacedViews({ ...call, db }, at, input.family ?? undefined),
      )
      const answers = []
      for (const view of views) {
        const { id, name, roleId, served } = view
        const { resource } = served
        const summary = { id, name, roleId, resource: resource.name, label: resource.label[lang] }
        answers.push(at === 'link' ? summary : { ...summary, ...(await countOf(call, view)) })
      }
      return answers
    },
  }),
]
