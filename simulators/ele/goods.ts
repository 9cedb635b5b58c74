import { ERRNO, refuse, shopOf, type Body, type EleWorld, type SimShop, type SimSku } from './world.ts'

const PRICE_MAX = 99_999_900
const STOCK_MAX = 99_999
const NAME_MAX = 100
const AT_ONCE = 100
const PAGE_MAX = 100

type Command = (world: EleWorld, source: string, body: Body) => unknown

function skuOf(shop: SimShop, { sku_id, custom_sku_id }: Body): SimSku {
  if (!sku_id && !custom_sku_id) refuse('缺少参数 sku_id', ERRNO.noSku)
  const sku = custom_sku_id
    ? shop.skus.get(String(custom_sku_id))
    : [...shop.skus.values()].find((one) => one.sku_id === String(sku_id))
  return sku ?? refuse('商品不存在')
}

function check(shop: SimShop, { name, sale_price, left_num, category_id }: Body): void {
  if (name !== undefined && (!name || [...String(name)].length > NAME_MAX)) refuse('商品名称长度不正确')
  if (String(name ?? '').includes('违禁')) refuse('商品名称含有违禁词')
  if (sale_price !== undefined) requirePrice(Number(sale_price))
  if (left_num !== undefined) requireStock(Number(left_num))
  if (category_id && !shop.shelves.has(String(category_id))) refuse('店内分类不存在')
}

const requirePrice = (price: number): number =>
  Number.isInteger(price) && price >= 1 && price <= PRICE_MAX ? price : refuse('商品价格不正确')
const requireStock = (stock: number): number =>
  Number.isInteger(stock) && stock >= 0 && stock <= STOCK_MAX ? stock : refuse('商品库存不正确')

/** Adds a product to a shop, as a shop creates it or as it existed before the start. */
export function putSku(world: EleWorld, shop: SimShop, draft: Body & { custom_sku_id: string }): SimSku {
  const sku: SimSku = {
    sku_id: draft.sku_id ?? world.newNo('77'),
    custom_sku_id: draft.custom_sku_id,
    upc: draft.upc ?? '',
    name: draft.name,
    sale_price: draft.sale_price,
    left_num: draft.left_num ?? 0,
    status: draft.status ?? 1,
    weight: draft.weight ?? 0,
    minimum: draft.minimum ?? 1,
    category_id: String(draft.category_id ?? ''),
    photos: draft.photos ?? [],
  }
  shop.skus.set(sku.custom_sku_id, sku)
  return sku
}

/** Changes or removes a product, as the platform's staff can, and notifies the account. */
export function changeSku(world: EleWorld, shop: SimShop, custom_sku_id: string, facts: Partial<SimSku> | null): void {
  const sku = shop.skus.get(custom_sku_id)!
  if (facts) Object.assign(sku, facts)
  else shop.skus.delete(custom_sku_id)
  const { baidu_shop_id, shop_id } = shop
  world.tell(shop.source, 'sku.update.push', { baidu_shop_id, shop_id, sku_id: sku.sku_id, custom_sku_id })
}

function createSku(world: EleWorld, source: string, body: Body) {
  const shop = shopOf(world, source, body)
  if (!body.custom_sku_id || !body.name || body.sale_price === undefined) refuse('缺少参数')
  if (shop.skus.has(String(body.custom_sku_id))) refuse('custom_sku_id 已存在')
  check(shop, body)
  const { sku_id, upc } = putSku(world, shop, { ...body, custom_sku_id: String(body.custom_sku_id) })
  return { sku_id, upc }
}

function updateSku(world: EleWorld, source: string, body: Body) {
  const shop = shopOf(world, source, body)
  const sku = skuOf(shop, body)
  check(shop, body)
  const { shop_id: _ours, baidu_shop_id: _theirs, sku_id: _sku, custom_sku_id: _custom, ...facts } = body
  Object.assign(sku, facts)
  return { sku_id: sku.sku_id }
}

function listSkus(world: EleWorld, source: string, body: Body) {
  const shop = shopOf(world, source, body)
  const size = Math.min(Number(body.pagesize ?? 20), PAGE_MAX)
  const page = Number(body.page ?? 1)
  const all = [...shop.skus.values()].filter(
    (one) =>
      (!body.sku_id || one.sku_id === String(body.sku_id)) &&
      (!body.custom_sku_id || one.custom_sku_id === String(body.custom_sku_id)) &&
      (!body.upc || one.upc === String(body.upc)),
  )
  return {
    page,
    pages: Math.ceil(all.length / size),
    total: all.length,
    list: all.slice((page - 1) * size, page * size).map(({ category_id, ...one }) => ({
      ...one,
      custom_cat_ids: category_id,
    })),
  }
}

/** Parses `id:value;id:value` with up to a hundred entries and applies it; one invalid entry refuses all. */
function batch(named: string, read: (value: string) => number, set: (sku: SimSku, value: number) => void): Command {
  return (world, source, body) => {
    const shop = shopOf(world, source, body)
    const idKeys = [`skuid_${named}`, `upc_${named}`, 'custom_sku_id'].filter((key) => body[key])
    if (idKeys.length !== 1) refuse('skuid、upc、custom_sku_id 三选一')
    const pairs = String(body[idKeys[0]!])
      .split(';')
      .filter(Boolean)
      .map((pair) => pair.split(':') as [string, string])
    if (pairs.length > AT_ONCE) refuse('批量数量超过限制')
    const found = pairs.map(([id, value]) => {
      const key = idKeys[0]!.startsWith('skuid') ? { sku_id: id } : { custom_sku_id: id }
      return [skuOf(shop, key), read(value)] as const
    })
    for (const [sku, value] of found) set(sku, value)
    return true
  }
}

const onSale =
  (status: 0 | 1): Command =>
  (world, source, body) => {
    skuOf(shopOf(world, source, body), body).status = status
    return true
  }

function createShelf(world: EleWorld, source: string, body: Body) {
  const shop = shopOf(world, source, body)
  requireShelf(shop, body)
  const category_id = world.newNo('5')
  const parent = String(body.parent_category_id ?? 0)
  shop.shelves.set(category_id, { category_id, name: body.name, rank: Number(body.rank ?? 1), parent })
  return { category_id }
}

function requireShelf(shop: SimShop, { name, rank, category_id }: Body): void {
  if (!name || [...String(name)].length > 50) refuse('分类名称长度不正确')
  if (rank !== undefined && (Number(rank) < 1 || Number(rank) > 100_000)) refuse('分类排序不正确')
  const isTaken = [...shop.shelves.values()].some((one) => one.name === name && one.category_id !== category_id)
  if (isTaken) refuse('分类名称已存在')
}

const shelfOf = (shop: SimShop, body: Body) => shop.shelves.get(String(body.category_id)) ?? refuse('店内分类不存在')

export const goodsCommands: Record<string, Command> = {
  'sku.create': createSku,
  'sku.update': updateSku,
  'sku.delete': (world, source, body) => {
    const shop = shopOf(world, source, body)
    return shop.skus.delete(skuOf(shop, body).custom_sku_id)
  },
  'sku.list': listSkus,
  'sku.online': onSale(1),
  'sku.offline': onSale(0),
  'sku.price.update.batch': batch(
    'price',
    (value) => requirePrice(Number(value.split(',')[0])),
    (sku, price) => void (sku.sale_price = price),
  ),
  'sku.stock.update.batch': batch(
    'stocks',
    (value) => requireStock(Number(value)),
    (sku, stock) => void (sku.left_num = stock),
  ),
  'sku.shop.category.create': createShelf,
  'sku.shop.category.update': (world, source, body) => {
    const shop = shopOf(world, source, body)
    const shelf = shelfOf(shop, body)
    requireShelf(shop, body)
    Object.assign(shelf, { name: body.name, ...(body.rank !== undefined && { rank: Number(body.rank) }) })
    return true
  },
  'sku.shop.category.delete': (world, source, body) => {
    const shop = shopOf(world, source, body)
    const { category_id } = shelfOf(shop, body)
    if ([...shop.skus.values()].some((one) => one.category_id === category_id)) refuse('分类下有商品，不能删除')
    return shop.shelves.delete(category_id)
  },
  'sku.shop.category.get': (world, source, body) => ({
    categorys: [...shopOf(world, source, body).shelves.values()].map(({ parent: _parent, ...one }) => one),
  }),
}
