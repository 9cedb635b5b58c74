import { createRequire } from 'node:module'
import type { Db } from '#kit/server/database/db.ts'
import { deterministicId } from '#kit/server/database/snowflake.ts'
import sql from 'sql-template-tag'
import { REGION_DATA_SOURCE } from './region-source.ts'

type RegionSeed = {
  code: string
  parentCode: string
  name: string
  level: number
  ancestors: string
  names: (string | null)[]
  codes: (string | null)[]
}

/** The ministry's list with six-digit codes, from a package that is updated every year. */
const listed = () => createRequire(import.meta.url)('lcn/data/data.json') as { code: string; name: string }[]

/** Names of cities the list has no name for: a municipality's counties, and the special administrative regions. */
const CITIES: Record<string, string> = { 5002: '重庆郊县', 8100: '香港特别行政区', 8200: '澳门特别行政区' }

/** Districts of Hong Kong, which the ministry does not list. */
const HONG_KONG =
  '中西区 湾仔区 东区 南区 油尖旺区 深水埗区 九龙城区 黄大仙区 观塘区 荃湾区 屯门区 元朗区 北区 大埔区 西贡区 沙田区 葵青区 离岛区'
/** Districts of Macau, which the ministry does not list either. */
const MACAU = '花地玛堂区 花王堂区 望德堂区 大堂区 风顺堂区 嘉模堂区 路凼填海区 圣方济各堂区'
const districtsOf = (city: string, names: string) =>
  names.split(' ').map((name, at) => ({ code: `${city}${String(at + 1).padStart(2, '0')}`, name }))

/**
 * Former codes of counties dissolved, renamed or converted between 2021 and 2024. Rows may still refer to them, but
 * they cannot be chosen.
 */
const ABOLISHED = (
  '330103 330104 350402 350403 350427 350625 350681 410306 410322 410381 ' +
  '431121 450127 513425 520522 532331 540422 540530 610322 610928 654223'
).split(' ')

/** Returns all regions of China, parents first: the country, provinces (2 digits), cities (4) and counties (6). */
function places(): RegionSeed[] {
  const out = new Map<string, RegionSeed>()
  const add = (code: string, parentCode: string, name: string, level: number) => {
    const parent = out.get(parentCode)
    const names = [...(parent?.names ?? [null, null, null])]
    const codes = [...(parent?.codes ?? [null, null, null])]
    if (level > 0) {
      names[level - 1] = name
      codes[level - 1] = code
    }
    out.set(code, {
      code,
      parentCode,
      name,
      level,
      ancestors: parent ? [parent.ancestors, parent.code].filter(Boolean).join(',') : '',
      names,
      codes,
    })
  }
  add('00', '0', '中华人民共和国', 0)
  const all = listed()
  const of = (pattern: RegExp) => all.filter(({ code }) => pattern.test(code))
  for (const { code, name } of of(/0000$/)) add(code.slice(0, 2), '00', name, 1)
  for (const { code, name } of of(/(?!00)..00$/))
    add(code.slice(0, 4), code.slice(0, 2), CITIES[code.slice(0, 4)] ?? name, 2)
  for (const code of ['8100', '8200']) add(code, code.slice(0, 2), CITIES[code]!, 2)
  for (const one of [...of(/(?!00)..$/), ...districtsOf('8100', HONG_KONG), ...districtsOf('8200', MACAU)])
    add(one.code, one.code.slice(0, 4), one.name, 3)
  return [...out.values()]
}

/**
 * Updates the table of regions once per edition of the list: adds new regions and marks missing ones as abolished.
 * Keeps names, and regions somebody added.
 */
export async function seedRegions(db: Db): Promise<void> {
  if (await db.one(sql`select 1 from region where as_of >= ${REGION_DATA_SOURCE.asOf} limit 1`)) return
  const all = places()
  const codes = all.map((place) => place.code)
  const texts = (pick: (place: RegionSeed) => string | null) => all.map(pick)
  await db.run(sql`
    insert into region (id, code, parent_code, name, region_level, sort, ancestors, province_code, province_name,
    city_code, city_name, district_code, district_name)
    select * from unnest(${codes.map((code) => deterministicId(`region:${code}`))}::bigint[],
    ${codes}::text[], ${texts((place) => place.parentCode)}::text[],
      ${texts((place) => place.name)}::text[], ${all.map((place) => place.level)}::int[],
      ${all.map((_place, index) => index + 1)}::int[], ${texts((place) => place.ancestors)}::text[],
      ${texts((place) => place.codes[0]!)}::text[], ${texts((place) => place.names[0]!)}::text[],
      ${texts((place) => place.codes[1]!)}::text[], ${texts((place) => place.names[1]!)}::text[],
      ${texts((place) => place.codes[2]!)}::text[], ${texts((place) => place.names[2]!)}::text[])
    on conflict do nothing`)
  // Marks regions of an earlier list that this one lacks.
  await db.run(sql`update region set is_abolished = true
    where not code = any(${codes}) and (as_of is not null or code = any(${ABOLISHED}))`)
  await db.run(sql`update region set as_of = ${REGION_DATA_SOURCE.asOf}, is_abolished = coalesce(is_abolished, false)
    where code = any(${codes})`)
}
