import {
  jsonOf,
  need,
  poiOf,
  Refusal,
  refuse,
  type Category,
  type Good,
  type Params,
  type Task,
  type World,
} from './world.ts'

const LOOKED_AT = 1
const PASSED = 2
const REFUSED = 3
const TASK_MS = 2_000

/** The platform's product categories. */
const CATEGORIES = [
  { id: '200000', name: '超市便利', level: 1, parent: '0', namePath: '超市便利' },
  { id: '200001', name: '饮料', level: 2, parent: '200000', namePath: '超市便利/饮料' },
  { id: '200002', name: '休闲零食', level: 2, parent: '200000', namePath: '超市便利/休闲零食' },
  { id: '200003', name: '方便速食', level: 2, parent: '200000', namePath: '超市便利/方便速食' },
]
const ORIGINS = ['浙江', '广东', '上海', '江苏', '福建', '四川', '山东', '北京']
const BRANDS = ['农夫山泉', '康师傅', '统一', '可口可乐', '百事', '达能', '怡宝', '娃哈哈', '旺旺', '三只松鼠']
/** Attributes of products, the same for all categories. */
const valuesOf = (names: readonly string[]) => names.map((value, at) => ({ valueId: String(at + 1), value }))
const ATTRIBUTES = [
  { attrId: '1200000088', attrName: '品牌', attrValueType: 1, need: 1, sequence: 1, valueList: [] },
  { attrId: '1200000094', attrName: '产地', attrValueType: 1, need: 2, sequence: 2, valueList: valuesOf(ORIGINS) },
  { attrId: '1200000210', attrName: '口味', attrValueType: 3, need: 2, sequence: 3, textMaxLength: 20, valueList: [] },
]

const shelvesOf = (world: World, appNo: string, params: Params) => {
  const { code } = poiOf(world, appNo, need(params, 'app_poi_code'))
  const own = <T>(all: Map<string, Map<string, T>>) => all.get(code) ?? all.set(code, new Map<string, T>()).get(code)!
  return { code, categories: own<Category>(world.categories), goods: own<Good>(world.goods) }
}

export function decideMeituanProductReview(world: World, good: Good): void {
  if (good.audit.status !== LOOKED_AT || world.now() < good.audit.due) return
  const isRefused = world.isStrict || String(good.facts.name).includes('违禁')
  good.audit = { status: isRefused ? REFUSED : PASSED, reason: isRefused ? '商品属于禁售品类' : '', due: 0 }
}

function saveCategory(world: World, appNo: string, params: Params): string {
  const { categories } = shelvesOf(world, appNo, params)
  const name = need(params, 'category_name')
  const was = params.category_code_origin || ''
  const code = need(params, 'category_code')
  if (name.includes('敏感')) refuse(1031, name)
  if (was && !categories.has(was)) refuse(1021, was)
  if (!was && categories.has(code)) refuse(1037, code)
  if ([...categories.values()].some((one) => one.name === name && one.code !== (was || code))) refuse(3013, name)
  if (was) categories.delete(was)
  categories.set(code, { code, name, sequence: Number(params.sequence ?? 0) })
  return 'ok'
}

function saveGood(world: World, appNo: string, params: Params): string {
  const { categories, goods } = shelvesOf(world, appNo, params)
  const code = need(params, 'app_spu_code')
  const name = need(params, 'name')
  if (name.includes('敏感')) refuse(1031, name)
  const [sku] = jsonOf<{ price: string; stock: string }[]>(params, 'skus')
  if (!sku || !/^\d+(\.\d{1,2})?$/.test(String(sku.price))) refuse(705, 'price')
  if (params.category_code && !categories.has(params.category_code)) refuse(1021, params.category_code)
  const was = goods.get(code)
  const isLookedAt = !was || was.facts.name !== name
  goods.set(code, {
    code,
    facts: { ...was?.facts, ...params },
    price: String(sku!.price),
    stock: Number(sku!.stock),
    soldOut: Number(params.is_sold_out ?? was?.soldOut ?? 0),
    audit: isLookedAt ? { status: LOOKED_AT, reason: '', due: world.now() + world.auditMs } : was.audit,
  })
  return 'ok'
}

/** Acts on several products. Names those that do not exist and does the others. */
function each(world: World, appNo: string, params: Params, act: (good: Good, one: Record<string, any>) => void) {
  const { goods } = shelvesOf(world, appNo, params)
  const food = jsonOf<Record<string, any>[]>(params, 'food_data')
  const failed: object[] = []
  for (const one of food) {
    const code = String(one.app_spu_code ?? '')
    const good = goods.get(code)
    if (good) act(good, one)
    else failed.push({ app_spu_code: code, sku_id: '', code: 805, msg: `不存在此商品：${code}` })
  }
  return several(food.length, failed)
}

/** An answer in the newer of the platform's two formats. */
export class Several {
  readonly body: object
  constructor(body: object) {
    this.body = body
  }
}

const wireOf = (good: Good) => ({
  ...good.facts,
  app_spu_code: good.code,
  price: Number(good.price),
  is_sold_out: good.soldOut,
  // Spelled so by the platform.
  aduit_status: good.audit.status,
  skus: [{ sku_id: good.code, upc: good.facts.standard_upc ?? '', price: good.price, stock: String(good.stock) }],
})

function list(world: World, appNo: string, params: Params) {
  const all = [...shelvesOf(world, appNo, params).goods.values()]
  const offset = Number(params.offset ?? 0)
  const limit = Number(params.limit ?? 20)
  if (limit > 200) refuse(705, 'limit')
  const data = all.slice(offset, offset + limit).map(wireOf)
  return new Several({ result_code: 1, data, msg: '', extra_info: { total_count: all.length } })
}

function remove(world: World, appNo: string, params: Params): string {
  const { goods } = shelvesOf(world, appNo, params)
  if (!goods.delete(need(params, 'app_spu_code'))) refuse(805, params.app_spu_code)
  return 'ok'
}

function attributeValues(_world: World, _appNo: string, params: Params) {
  const names = need(params, 'attr_id') === '1200000088' ? BRANDS : ORIGINS
  const found = valuesOf(names).filter((one) => one.value.includes(params.keyword ?? ''))
  const [page, size] = [Number(params.page_num ?? 1), Number(params.page_size ?? 20)]
  const data = found.slice((page - 1) * size, page * size)
  return new Several({ result_code: 1, data, msg: '', extra_info: { total_count: found.length } })
}

const textOf = (value: unknown) => (typeof value === 'object' ? JSON.stringify(value) : String(value))

/** Saves many products in one call; failed ones are listed, the others saved. */
function batch(world: World, appNo: string, params: Params) {
  const { code } = shelvesOf(world, appNo, params)
  const food = jsonOf<Record<string, unknown>[]>(params, 'food_data')
  const failed: object[] = []
  for (const one of food)
    try {
      const fields = Object.fromEntries(Object.entries(one).map(([key, value]) => [key, textOf(value)]))
      saveGood(world, appNo, { app_poi_code: code, ...fields })
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      failed.push({ app_spu_code: one.app_spu_code, sku_id: '', code: error.code, msg: error.message })
    }
  return several(food.length, failed)
}

const several = (all: number, failed: object[]) =>
  new Several({
    result_code: !failed.length ? 1 : failed.length < all ? 2 : 3,
    data: '',
    msg: '',
    success_list: [],
    error_list: failed,
  })

const FOOD_MAX = 200
const TASK_PATHS = ['retail/batchinitdata', 'retail/sku/price', 'retail/sku/stock', 'retail/sellStatus']

/** Accepts a task on many products, to be executed later. Returns the task's number and nothing about its outcome. */
export function takeTask(world: World, path: string, appNo: string, params: Params): Several {
  if (!TASK_PATHS.includes(path)) refuse(705, path)
  const { code } = shelvesOf(world, appNo, params)
  const total = jsonOf<object[]>(params, 'food_data').length
  if (!total || total > FOOD_MAX) refuse(705, 'food_data')
  const taskNo = String(9_000_000_000_000_000n + BigInt(world.tasks.size + 1))
  world.tasks.set(taskNo, { taskNo, appNo, shopCode: code, path, params, total, due: world.now() + TASK_MS })
  return new Several({ result_code: 1, data: '', msg: '', extra_info: { task_id: taskNo, total_count: total } })
}

/** Executes a task when it is due. */
export function executeDueMeituanTask(world: World, one: Task): void {
  if (one.failed || world.now() < one.due) return
  try {
    const result = goodsCalls[one.path]!(world, one.appNo, one.params) as Several
    one.failed = (result.body as { error_list: object[] }).error_list
  } catch (error) {
    // The shop belongs to another application by now: the task fails for all products.
    if (!(error instanceof Refusal)) throw error
    const food = jsonOf<{ app_spu_code: string }[]>(one.params, 'food_data')
    one.failed = food.map(({ app_spu_code }) => ({ app_spu_code, code: error.code, msg: error.message }))
  }
}

function taskWire({ taskNo, shopCode, total, failed }: Task) {
  const counted = failed ? { success: total - failed.length, failed: failed.length } : { success: 0, failed: 0 }
  const status = !failed ? 1 : failed.length < total ? 2 : 3
  return { task_id: taskNo, app_poi_code: shopCode, status, total, ...counted, error_list: failed ?? [] }
}

function task(world: World, appNo: string, params: Params) {
  const one = world.tasks.get(need(params, 'task_id')) ?? refuse(705, 'task_id')
  if (one.appNo !== appNo) refuse(704, one.shopCode)
  return taskWire(one)
}

function listTasks(world: World, appNo: string, params: Params) {
  const { code } = poiOf(world, appNo, need(params, 'app_poi_code'))
  const all = [...world.tasks.values()].filter(({ shopCode }) => shopCode === code).toReversed()
  const [page, size] = [Number(params.page_num ?? 1), Number(params.page_size ?? 20)]
  return all.slice((page - 1) * size, page * size).map(taskWire)
}

type Call = (world: World, appNo: string, params: Params) => unknown
export const goodsCalls: Readonly<Record<string, Call>> = {
  'retailCat/list': (world, appNo, params) => [...shelvesOf(world, appNo, params).categories.values()],
  'retailCat/update': saveCategory,
  'retailCat/delete': (world, appNo, params) => {
    const code = need(params, 'category_code')
    if (!shelvesOf(world, appNo, params).categories.delete(code)) refuse(1021, code)
    return 'ok'
  },
  'retail/getSpTagIds': () => CATEGORIES.map(({ parent, ...one }) => ({ ...one, parent_id: parent })),
  'gw/category/attr/list': () => ({ generalAttrs: ATTRIBUTES, saleAttrs: [] }),
  'gw/category/attr/value/list': attributeValues,
  'retail/initdata': saveGood,
  'retail/batchinitdata': batch,
  'retail/list': list,
  'retail/delete': remove,
  'retail/sku/price': (world, appNo, params) =>
    each(world, appNo, params, (good, one) => (good.price = String(one.skus?.[0]?.price ?? good.price))),
  'retail/sku/stock': (world, appNo, params) =>
    each(world, appNo, params, (good, one) => (good.stock = Number(one.skus?.[0]?.stock ?? good.stock))),
  'retail/sellStatus': (world, appNo, params) =>
    each(world, appNo, params, (good) => (good.soldOut = Number(need(params, 'sell_status')))),
  'retail/audit/status': (world, appNo, params) => {
    const [page, size] = [Number(params.page_num ?? 1), Number(params.page_size ?? 20)]
    const all = [...shelvesOf(world, appNo, params).goods.values()]
    const data = all.slice((page - 1) * size, page * size).map((good) => ({
      app_spu_code: good.code,
      name: good.facts.name,
      is_sold_out: good.soldOut,
      audit_status: good.audit.status,
      tag_id: good.facts.tag_id ?? '',
      reason: good.audit.reason,
    }))
    return new Several({ result_code: 1, data, msg: '', extra_info: { total_count: all.length } })
  },
  'task/detail': task,
  'task/list': listTasks,
}
