import type { Resource } from '#kit/resource/index.ts'
import { sql, type Db } from '#kit/server/database/db.ts'
import { newId } from '#kit/server/database/snowflake.ts'
import { fromShanghai, shanghaiText } from '#kit/server/time.ts'
import { placeOrder } from '#domains/orders/doors.ts'
import type { StoryStage } from '#domains/shops/doors.ts'
import { SYNC } from './dictionaries.ts'

type Platform = 'ele' | 'meituan'
type Good = {
  id: string
  upc: string
  name: string
  spec: string | null
  salePrice: number
  stock: number
  goodTypeId: string | null
  typeName: string | null
}

const HOUR_MS = 3_600_000
const GOODS_EACH = 24
const ORDERS_EACH = 5
const REMARKS = ['不要吸管', '', '请放门口', '', '多给点纸巾']
const STREETS = [
  '文二西路 238 号 3 幢 502',
  '紫荆花路 56 号 1201',
  '竞舟路 99 号 8 幢 201',
  '古墩路 673 号 906',
  '江南大道 288 号 1803',
]

/**
 * Two shops on a platform: goods with a little above our price, licences, and orders of the last hours that became ours
 * and took stock.
 */
export async function storyOnPlatform(
  db: Db,
  { services, now, random, shops }: StoryStage,
  platform: Platform,
): Promise<void> {
  const add = (name: string, row: Record<string, unknown>) =>
    db.insert(services.registry.resource(`${platform}${name}`) as Resource, row) as Promise<Record<string, any>>
  const at = (ms: number) => shanghaiText(new Date(now.getTime() - ms))
  const synced = { syncStatus: SYNC.done, syncTime: at(2 * HOUR_MS) }
  for (const [n, { shopId, code }] of shops.slice(0, 2).entries()) {
    const shop = (await db.one<{
      shopName: string
      address: string
      phone: string
      longitude: number
      latitude: number
    }>(
      sql`select shop_name, address, phone, longitude, latitude
        from basic_shop_info where tenant_id = ${db.tenantId} and id = ${shopId}`,
    ))!
    const there = await add('ShopInfo', {
      shopId,
      name: `${shop.shopName}（${platform === 'ele' ? '超市便利' : '闪购'}）`,
      phone: shop.phone,
      address: shop.address,
      longitude: shop.longitude,
      latitude: shop.latitude,
      platformShopId: `${platform === 'ele' ? 32 : 18}${db.tenantId}${n}7`,
      ...synced,
      ...(platform === 'ele'
        ? { sysStatus: 6, businessStatus: 1, businessTime: '08:00-23:00', packageFee: 100, minOrderPrice: 2000 }
        : {
            auditStatus: 5,
            isOnline: 1,
            openLevel: 1,
            shippingTime: '08:00-23:00',
            shippingFee: 300,
            isInvoiceSupported: true,
          }),
    })
    const link = { [`${platform}ShopId`]: there.id, shopId }
    const goods = await db.query<Good>(sql`select g.id, g.upc, g.name, g.spec, g.sale_price, coalesce(g.stock,
        0) as stock, g.good_type_id, t.name as type_name from good_info g left join good_type t on t.id = g.good_type_id
      where g.tenant_id = ${db.tenantId} and g.shop_id = ${shopId} and g.is_deleted = 0 and g.stock > 6
      order by g.stock desc, g.id limit ${GOODS_EACH}`)
    const types = new Map<string, string>()
    for (const good of goods) {
      if (!good.goodTypeId || types.has(good.goodTypeId)) continue
      const type = await add('GoodType', {
        ...link,
        goodTypeId: good.goodTypeId,
        name: good.typeName,
        rank: types.size + 1,
        [platform === 'ele' ? 'platformCategoryId' : 'categoryCode']: `${500 + types.size}`,
        ...synced,
      })
      types.set(good.goodTypeId, type.id as string)
    }
    for (const [m, good] of goods.entries()) {
      const state =
        m === 3
          ? { syncStatus: SYNC.failed, syncTime: at(HOUR_MS), syncError: '平台类目与商品不符' }
          : m === 5
            ? { syncStatus: SYNC.waiting }
            : synced
      const sku = await add('SkuInfo', {
        ...link,
        goodId: good.id,
        upc: good.upc,
        name: good.name,
        salePrice: priceThere(good),
        stock: good.stock,
        [`${platform}GoodTypeId`]: good.goodTypeId ? types.get(good.goodTypeId) : null,
        platformSkuId: `${platform === 'ele' ? 77 : 44}${code.replace(/\D/g, '')}${String(m).padStart(4, '0')}`,
        status: platform === 'ele' ? 1 : 0,
        ...state,
      })
      if (platform === 'meituan' && m < 6)
        await add('GoodsAuditStatus', {
          ...link,
          meituanSkuId: sku.id,
          appSpuCode: good.upc,
          name: good.name,
          auditStatus: m === 3 ? 3 : 2,
          isSoldOut: 0,
          tagId: '200001',
          reason: m === 3 ? '主图含水印' : null,
          auditTime: at(30 * HOUR_MS),
        })
    }
    await add('Aptitude', {
      ...link,
      licenseName: shop.shopName,
      licenseNumber: `91330106MA2${n}K${db.tenantId.slice(-4)}X`,
      legalPerson: '吴敏',
      licenseAddress: shop.address,
      isLongTerm: n === 0,
      validDate: n ? at(-400 * 24 * HOUR_MS).slice(0, 10) : null,
      ...synced,
    })
    for (let m = 0; m < ORDERS_EACH; m++) await tellOrder(m, there.id as string, goods, shop.shopName)
    if (platform === 'meituan') {
      await add('TokenInfo', {
        ...link,
        appPoiCode: code,
        status: 1,
        expireTime: at(-20 * 24 * HOUR_MS),
        refreshExpireTime: at(-60 * 24 * HOUR_MS),
      })
      const failed = goods.length > 3 ? 1 : 0
      if (goods.length)
        await db.asOf(
          fromShanghai(at(27 * HOUR_MS)),
          (past) =>
            past.insert(services.registry.resource('meituanTask') as Resource, {
              ...link,
              taskId: `MT${newId()}`,
              taskType: '批量上传商品',
              status: 2,
              total: goods.length,
              success: goods.length - failed,
              failed,
              finishTime: at(26 * HOUR_MS),
            }) as Promise<unknown>,
        )
    }

    async function tellOrder(
      m: number,
      platformShop: string,
      carried: readonly Good[],
      shopName: string,
    ): Promise<void> {
      const picked = [carried[(m * 3 + n) % carried.length], carried[(m * 5 + 1 + n) % carried.length]].filter(
        (one, place, all): one is Good => !!one && all.indexOf(one) === place,
      )
      if (!picked.length) return
      const lines = picked.map((good, place) => ({
        good,
        quantity: place ? 1 : random.int(1, 2),
        price: priceThere(good),
      }))
      const goodsFee = lines.reduce((sum, line) => sum + line.quantity * line.price, 0)
      const [sendFee, discountFee] = [500, Math.min(300, goodsFee)]
      const total = goodsFee + sendFee
      const borneByShop = Math.round(discountFee / 2)
      const commission = Math.round((goodsFee - borneByShop) * 0.06)
      const shopFee = goodsFee - borneByShop - commission
      const time = at((m * 3 + 1) * HOUR_MS + n * 600_000)
      const name = ['王先生', '李女士', '赵先生', '孙女士', '周女士'][m]!
      // The platform's customer pays the platform; to us the goods are sold at the platform's price.
      const order = await db.asOf(fromShanghai(time), (past) =>
        placeOrder(past, {
          shopId,
          source: platform,
          type: 'delivery',
          status: 2,
          payType: 'platform',
          payTime: time,
          payAmount: goodsFee,
          remark: REMARKS[m] || null,
          deliverTo: { name, phone: `1380571${String(1000 + m * 7 + n)}`, address: STREETS[m]! },
          lines: lines.map(({ good, quantity, price }) => ({
            goodId: good.id,
            upc: good.upc,
            name: good.name,
            spec: good.spec,
            price,
            listPrice: good.salePrice,
            quantity,
            discount: 0,
            amount: quantity * price,
          })),
        }),
      )
      const isNew = m === 0
      const facts =
        platform === 'ele'
          ? { orderIndex: ORDERS_EACH - m, packageFee: 0, commission, status: isNew ? 5 : 9 }
          : {
              daySeq: ORDERS_EACH - m,
              packageFee: 0,
              serviceFee: commission,
              status: isNew ? 4 : 8,
              recipientName: name,
              recipientPhone: `1380571${String(1000 + m * 7 + n)}`,
              recipientAddress: STREETS[m],
            }
      const there = await add('Order', {
        platformOrderId: `${platform === 'ele' ? 5 : 9}${newId()}`,
        [`${platform}ShopId`]: platformShop,
        shopId,
        orderId: order.id,
        totalFee: total,
        userFee: total - discountFee,
        shopFee,
        sendFee,
        discountFee,
        orderTime: time,
        confirmTime: time,
        syncStatus: SYNC.done,
        syncTime: time,
        finishedTime: isNew ? null : at(m * 3 * HOUR_MS),
        riderName: '陈师傅',
        riderPhone: '13957112233',
        customerRemark: REMARKS[m] || null,
        ...facts,
      })
      const part = { [`${platform}OrderId`]: there.id, shopId }
      for (const { good, quantity, price } of lines)
        await add('OrderDetail', {
          ...part,
          goodId: good.id,
          upc: good.upc,
          name: good.name,
          quantity,
          price,
          amount: quantity * price,
          ...(platform === 'ele' ? { bagIndex: 1 } : { spec: good.spec }),
        })
      if (platform === 'ele') {
        await add('OrderDiscount', {
          ...part,
          activityId: `A${8800 + n}`,
          type: '满减',
          name: `${shopName}满减`,
          fee: discountFee,
          shopRate: borneByShop,
          platformRate: discountFee - borneByShop,
          agentRate: 0,
        })
        await add('DeliveryAddress', {
          ...part,
          name,
          phone: `1380571${String(1000 + m * 7 + n)}`,
          province: '浙江省',
          city: '杭州市',
          district: '西湖区',
          address: STREETS[m],
        })
      }
    }
  }
  if (platform === 'meituan') await tellCatalogue(add)
}

/** A tenth above our own price, to the ten cents. */
const priceThere = (good: Good) => Math.ceil((good.salePrice * 1.1) / 10) * 10

async function tellCatalogue(add: (name: string, row: Record<string, unknown>) => Promise<unknown>): Promise<void> {
  const tags = [
    ['200001', '饮料', '超市便利/饮料'],
    ['200002', '休闲零食', '超市便利/休闲零食'],
    ['200003', '方便速食', '超市便利/方便速食'],
  ] as const
  for (const [tagId, name, namePath] of tags) {
    await add('TagList', { tagId, name, level: 2, parentTagId: '200000', namePath })
    await add('GeneralAttrs', {
      tagId,
      attrId: '1200000088',
      attrName: '品牌',
      attrValueType: 1,
      isNeeded: true,
      sequence: 1,
    })
    await add('GeneralAttrs', {
      tagId,
      attrId: '1200000094',
      attrName: '产地',
      attrValueType: 1,
      isNeeded: false,
      sequence: 2,
      valueList: [
        { valueId: '1', value: '浙江' },
        { valueId: '2', value: '广东' },
      ],
    })
  }
}
