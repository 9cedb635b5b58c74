import { refuse, shopOf, type Body, type EleWorld, type SimShop } from './world.ts'

const SYS = { refusedChange: 4, changeWaits: 3, well: 6, newWaits: 7, refusedNew: 8 }
const OPEN = { open: 1, resting: 3, offline: 9 }
const CATEGORIES = [
  ['100', '超市便利', ''],
  ['101', '24小时便利店', '100'],
  ['102', '社区超市', '100'],
  ['200', '休闲食品', ''],
  ['201', '零食小吃', '200'],
].map(([category_id, category_name, parent]) => ({ category_id, category_name, parent, business_form_id: '1' }))

type Command = (world: EleWorld, source: string, body: Body) => unknown

/** Schedules the audit of a shop. Names with 驳回, ★ or ☆ are refused, all names when the world is strict. */
function audit(world: EleWorld, shop: SimShop, refused: number): void {
  world.clock.after(world.auditMs, () => {
    const isRefused = world.isStrict || /驳回|[★☆]/.test(String(shop.facts.name))
    shop.sysStatus = isRefused ? refused : SYS.well
    shop.rejectReason = isRefused ? '门店名称不符合规范' : ''
    if (!isRefused && shop.businessStatus === OPEN.offline) shop.businessStatus = OPEN.resting
    pushShopMessage(world, shop, isRefused ? 'offline' : 'online')
  })
}

const pushShopMessage = (world: EleWorld, shop: SimShop, msg_type: string) =>
  world.tell(shop.source, 'shop.msg.push', {
    shop_id: shop.shop_id,
    baidu_shop_id: shop.baidu_shop_id,
    msg_type,
    business_ele: shop.businessStatus,
  })

/** Adds a shop from before the start, audited and open. */
export function knowShop(
  world: EleWorld,
  { source, baidu_shop_id, shop_id, ...facts }: Body & { source: string; baidu_shop_id: string; shop_id: string },
): SimShop {
  const shop: SimShop = {
    baidu_shop_id,
    shop_id,
    source,
    facts,
    sysStatus: SYS.well,
    businessStatus: OPEN.open,
    rejectReason: '',
    licences: [],
    shelves: new Map(),
    skus: new Map(),
  }
  world.shops.set(baidu_shop_id, shop)
  return shop
}

const setOpen =
  (businessStatus: number, word: string): Command =>
  (world, source, body) => {
    const shop = shopOf(world, source, body)
    if (shop.sysStatus !== SYS.well) refuse('商户未上线，不能修改营业状态')
    shop.businessStatus = businessStatus
    pushShopMessage(world, shop, word)
    return true
  }

function createShop(world: EleWorld, source: string, body: Body): { baidu_shop_id: string } {
  const { shop_id, ...facts } = body
  if (!shop_id || !facts.name || !facts.phone || !facts.address) refuse('缺少参数 shop_id、name、phone 或 address')
  if (!facts.categorys?.length) refuse('缺少参数 categorys')
  if ([...world.shops.values()].some((one) => one.source === source && one.shop_id === shop_id))
    refuse('shop_id 已存在')
  const shop = knowShop(world, { ...facts, source, shop_id, baidu_shop_id: world.newNo('32') })
  Object.assign(shop, { sysStatus: SYS.newWaits, businessStatus: OPEN.offline })
  audit(world, shop, SYS.refusedNew)
  return { baidu_shop_id: shop.baidu_shop_id }
}

function updateShop(world: EleWorld, source: string, { shop_id, baidu_shop_id, ...facts }: Body): true {
  const shop = shopOf(world, source, { shop_id, baidu_shop_id })
  const isNamed = facts.name !== undefined && facts.name !== shop.facts.name
  const isNew = [SYS.refusedNew, SYS.newWaits].includes(shop.sysStatus)
  Object.assign(shop.facts, facts)
  if (isNew || isNamed) {
    shop.sysStatus = isNew ? SYS.newWaits : SYS.changeWaits
    audit(world, shop, isNew ? SYS.refusedNew : SYS.refusedChange)
  }
  return true
}

const statusOf = ({ baidu_shop_id, sysStatus, businessStatus }: SimShop) => ({
  baidu_shop_id,
  sys_status: sysStatus,
  business_status: businessStatus,
})

const factsOf = (shop: SimShop) => ({
  ...shop.facts,
  ...statusOf(shop),
  shop_id: shop.shop_id,
  status: shop.businessStatus,
  ...(shop.rejectReason && { reject_reason: shop.rejectReason }),
})

function uploadLicences(world: EleWorld, source: string, body: Body): true {
  const shop = shopOf(world, source, body)
  for (const one of (body.aptitude ?? []) as Body[]) {
    if (!one.license_name || !one.license_number) refuse('资质名称和编号不能为空')
    if (!one.photos?.length) refuse('资质图片不能为空')
    if (!one.long_term_valid && !one.license_validdate) refuse('资质有效期不能为空')
  }
  shop.licences = body.aptitude
  return true
}

export const shopCommands: Record<string, Command> = {
  'shop.create': createShop,
  'shop.update': updateShop,
  'shop.get': (world, source, body) => factsOf(shopOf(world, source, body)),
  'shop.list': (world, source, { sys_status }) =>
    [...world.shops.values()]
      .filter((one) => one.source === source && (sys_status === undefined || one.sysStatus === Number(sys_status)))
      .map(factsOf),
  'shop.open': setOpen(OPEN.open, 'shop_open'),
  'shop.close': setOpen(OPEN.resting, 'shop_close'),
  'shop.offline': setOpen(OPEN.offline, 'offline'),
  'shop.status.get': (world, source, body) => statusOf(shopOf(world, source, body)),
  'shop.busstatus.get': (world, source, body) => {
    const { shop_id, baidu_shop_id, businessStatus } = shopOf(world, source, body)
    return { shop_id, baidu_shop_id, shop_busstatus: businessStatus === OPEN.open ? 3 : 1 }
  },
  'shop.aptitude.gettypes': () => [
    { id: '1', name: '主体资质', child: [{ id: '11', name: '营业执照' }] },
    { id: '2', name: '行业资质', child: [{ id: '21', name: '食品经营许可证' }] },
  ],
  'shop.aptitude.get': (world, source, body) => shopOf(world, source, body).licences,
  'shop.aptitude.upload': uploadLicences,
  'common.businesscategories': (_world, _source, { category_id }) =>
    CATEGORIES.filter((one) => one.parent === String(category_id ?? '')).map(({ parent: _parent, ...one }) => one),
  'picture.upload': (world, _source, { url, data }) => {
    if (!url && !data) refuse('缺少参数 url 或 data')
    const at = `https://img.ele.example/${world.newNo('9')}.jpg`
    return { url: at, water_url: `${at}?water=1` }
  },
}
