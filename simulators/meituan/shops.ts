import { jsonOf, need, poiOf, refuse, type Params, type Poi, type World } from './world.ts'

const INCOMPLETE = 0
const REVIEWED = 1
const REFUSED = 2
const TO_HAND_IN = 4
const APPROVED = 5
const MODULE_DONE = 6
const MODULE_REFUSED = 3
const MICRO = 1_000_000
let made = 1_000

/** Decides a shop's review when it is due. Names with 驳回, ★ or ☆ are refused, all names when the world is strict. */
export function decideMeituanShopReview(world: World, poi: Poi): void {
  if (poi.audit.status !== REVIEWED || world.now() < poi.audit.due) return
  const isBadName = /[★☆]/.test(poi.facts.name ?? '')
  const isRefused = world.isStrict || isBadName || poi.facts.name?.includes('驳回')
  const reason = isBadName ? '门店名称含有特殊符号' : isRefused ? '门头照片不清晰' : ''
  poi.audit = { status: isRefused ? REFUSED : APPROVED, reason, due: 0 }
  if (!isRefused) poi.isOnline = 3
  const audit = [{ sub_module: 2, module_status: isRefused ? MODULE_REFUSED : MODULE_DONE, reason: poi.audit.reason }]
  world.tell('shopAudit', poi.code, { app_poi_code: poi.code, poi_type: '1', audit_detail: JSON.stringify(audit) })
}

function submit(world: World, poi: Poi): void {
  poi.audit = { status: REVIEWED, reason: '', due: world.now() + world.auditMs }
}

function newPoi(world: World, appNo: string, code: string): Poi {
  const audit = { status: INCOMPLETE, reason: '', due: 0 }
  const poi: Poi = { code, appNo, wmPoiNo: String(++made), facts: {}, openLevel: 3, isOnline: 0, audit }
  world.pois.set(code, poi)
  return poi
}

function save(world: World, appNo: string, params: Params): string {
  const code = need(params, 'app_poi_code')
  const poi = world.pois.has(code) ? poiOf(world, appNo, code) : newPoi(world, appNo, code)
  for (const name of ['name', 'address', 'latitude', 'longitude', 'phone', 'shipping_time']) need(params, name)
  if (params.name!.includes('敏感')) refuse(1031, params.name)
  if (!/^(\d{2}:\d{2}-\d{2}:\d{2},?)+$/.test(params.shipping_time!)) refuse(705, 'shipping_time')
  Object.assign(poi.facts, params)
  if (params.open_level) poi.openLevel = Number(params.open_level)
  // A shop that was not reviewed is submitted by going online.
  if (params.is_online === '1') {
    if (poi.audit.status === APPROVED) poi.isOnline = 1
    else if (poi.audit.status !== REVIEWED) submit(world, poi)
  }
  return 'ok'
}

function handIn(world: World, appNo: string, params: Params): string {
  const isNew = need(params, 'type') === '0'
  const applications = jsonOf<Record<string, any>[]>(params, 'apply_info')
  for (const one of applications) {
    const code = String(one.app_poi_code ?? '') || refuse(701, 'app_poi_code')
    const basic = one.single_poi_basic_info ?? refuse(701, 'single_poi_basic_info')
    if (!basic.shop_name) refuse(701, 'shop_name')
    if (!one.single_poi_cert_infos?.length) refuse(701, 'single_poi_cert_infos')
    for (const cert of one.single_poi_cert_infos) if (!cert.number || !cert.valid_date) refuse(701, 'number')
    if (isNew && world.pois.has(code)) refuse(801, code)
    const poi = isNew ? newPoi(world, appNo, code) : poiOf(world, appNo, code)
    Object.assign(poi.facts, { name: basic.shop_name, address: basic.address ?? '' })
    Object.assign(poi.facts, { cert: one.single_poi_cert_infos[0].number })
    poi.audit = { status: TO_HAND_IN, reason: '', due: 0 }
  }
  return 'ok'
}

function submitAudit(world: World, appNo: string, params: Params): string {
  for (const code of need(params, 'app_poi_codes').split(',')) submit(world, poiOf(world, appNo, code))
  return 'ok'
}

const wireOf = (poi: Poi) => ({
  ...poi.facts,
  app_poi_code: poi.code,
  open_level: poi.openLevel,
  is_online: poi.isOnline,
  // Returned multiplied by a million, as the platform does.
  latitude: Math.round(Number(poi.facts.latitude ?? 0) * MICRO),
  longitude: Math.round(Number(poi.facts.longitude ?? 0) * MICRO),
})

const mine = (world: World, appNo: string) => [...world.pois.values()].filter((poi) => poi.appNo === appNo)
const named = (world: World, appNo: string, params: Params) =>
  need(params, 'app_poi_codes')
    .split(',')
    .map((code) => poiOf(world, appNo, code))

const updatePoi = (world: World, appNo: string, params: Params, patch: Partial<Poi>): string => {
  const poi = poiOf(world, appNo, need(params, 'app_poi_code'))
  if (poi.audit.status !== APPROVED) refuse(1026, poi.code)
  Object.assign(poi, patch)
  return 'ok'
}

const auditOf = (poi: Poi) => ({
  app_poi_code: poi.code,
  status: poi.audit.status,
  reason: poi.audit.reason,
  base_status: MODULE_DONE,
  qualification_status: poi.audit.status === REFUSED ? MODULE_REFUSED : MODULE_DONE,
})

type Call = (world: World, appNo: string, params: Params) => unknown
export const shopCalls: Readonly<Record<string, Call>> = {
  'poi/save': save,
  'poi/getids': (world, appNo) => mine(world, appNo).map((poi) => poi.code),
  'poi/mget': (world, appNo, params) => named(world, appNo, params).map(wireOf),
  'poi/open': (world, appNo, params) => updatePoi(world, appNo, params, { openLevel: 1 }),
  'poi/close': (world, appNo, params) => updatePoi(world, appNo, params, { openLevel: 3 }),
  'poi/online': (world, appNo, params) => updatePoi(world, appNo, params, { isOnline: 1 }),
  'poi/offline': (world, appNo, params) => updatePoi(world, appNo, params, { isOnline: 0 }),
  'ecommerce/poi/bound/list': (world, appNo, params) =>
    [poiOf(world, appNo, need(params, 'app_poi_code'))].map((poi) => ({
      wm_poi_id: poi.wmPoiNo,
      app_poi_code: poi.code,
      poi_name: poi.facts.name ?? '',
      is_online: poi.isOnline,
    })),
  'ecommerce/poi/settle/single/save': handIn,
  'ecommerce/poi/settle/audit/submit': submitAudit,
  'ecommerce/poi/settle/audit/list': (world, appNo, params) => named(world, appNo, params).map(auditOf),
  'image/upload': (world, appNo, params) => {
    poiOf(world, appNo, need(params, 'app_poi_code'))
    if (Buffer.from(need(params, 'img_data'), 'base64').length < 8) refuse(705, 'img_data')
    return world.pictures[world.pictures.push(need(params, 'img_name')) - 1] && `pic${world.pictures.length}`
  },
}
