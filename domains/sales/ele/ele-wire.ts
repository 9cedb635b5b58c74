/** The platform's requests and answers, in its own names: amounts in cents, times in seconds, ids as texts. */

/** A shop in a call: by the platform's number or by ours. */
export type EleShopRef = { baidu_shop_id: string } | { shop_id: string }

export type ShopDraft = {
  shop_id?: string
  baidu_shop_id?: string
  name: string
  shop_logo?: string
  province?: string
  city?: string
  county?: string
  address?: string
  phone?: string
  service_phone?: string
  longitude?: number
  latitude?: number
  /** Coordinate system; `amap` is the one of our coordinates. */
  coord_type?: string
  package_box_price?: number
  business_form_id?: string
  categorys?: { category1: string; category2?: string; category3?: string }[]
  business_time?: { start: string; end: string }[]
  min_order_price?: number
}

export type EleShopFacts = Partial<ShopDraft> & {
  baidu_shop_id: string
  status?: number | string
  sys_status?: number | string
  business_status?: number | string
  /** Why the platform rejected the shop. */
  reject_reason?: string
}

type BusinessCategory = { category_id: string; category_name: string; business_form_id?: string }

export type Licence = {
  type_1: string
  type_2?: string
  type_3?: string
  license_name: string
  license_number: string
  license_address?: string
  license_validdate?: string
  long_term_valid: 0 | 1
  legal_representative_name?: string
  photos: { photo_url: string; waterprinter_url: string }[]
}

export type LicenceType = { id: string; name: string; child?: LicenceType[] }

/** A product category of a shop. */
export type Shelf = { category_id: string; name: string; rank?: number; children?: Shelf[] }

export type SkuDraft = {
  name: string
  upc?: string
  custom_sku_id: string
  left_num: number
  sale_price: number
  weight?: number
  minimum?: number
  /** 1 on sale, 0 not. */
  status: 0 | 1
  photos?: { is_master: 0 | 1; url: string }[]
  category_id?: string
}

export type SkuFacts = {
  sku_id: string
  custom_sku_id?: string
  upc?: string
  name: string
  sale_price: number
  left_num: number
  status: number | string
  weight?: number
  minimum?: number
  custom_cat_ids?: string
  photos?: { is_master: number; url: string }[]
}

/** A product in a call: by the platform's number or by ours, never both. */
type EleSkuRef = { sku_id: string } | { custom_sku_id: string }

type Page<T> = { page: number; pages: number; total: number; list: T[] }

export type OrderBrief = {
  order_id: string
  shop_id?: string
  baidu_shop_id: string
  create_time: number
  order_status: number
}

export type OrderProduct = {
  baidu_product_id?: string
  custom_sku_id?: string
  upc?: string
  product_name: string
  product_amount: number
  product_price: number
  product_fee: number
  package_fee?: number
  total_fee?: number
  is_free_gift?: number
  /** The order's id for this line of a bag. */
  sub_biz_order_id?: string
}

export type OrderDiscount = {
  activity_id?: string
  type?: string
  fee: number
  shop_rate?: number
  baidu_rate?: number
  agent_rate?: number
  logistics_rate?: number
  user_rate?: number
  desc?: string
}

type EleCoordinates = { longitude: number | string; latitude: number | string }

export type OrderFacts = {
  source?: string
  shop: { id?: string; baidu_shop_id: string; name?: string }
  order: {
    order_id: string
    eleme_order_id?: string
    order_index?: number | string
    status: number | string
    create_time: number
    confirm_time?: number
    finished_time?: number
    cancel_time?: number
    send_time?: number | string
    send_immediately?: number
    total_fee: number
    shop_fee: number
    user_fee: number
    send_fee: number
    package_fee: number
    discount_fee: number
    commission: number
    delivery_party?: number
    delivery_phone?: string
    remark?: string
    /** 0: delivery, 1: pickup. */
    business_type?: number
    /** 1: a part of the order's data is missing for now. */
    down_flag?: number
    discount_down_flag?: number
    cancel_reason?: string
    ext?: { online_cancel_status?: number; part_refund_status?: number }
  }
  user: {
    name: string
    phone: string
    privacy_phone?: string
    province?: string
    city?: string
    district?: string
    address?: string
    coord_amap?: EleCoordinates
  }
  products: OrderProduct[][]
  discount: OrderDiscount[]
}

/** A partial refund: the lines concerned, and the cents for each. */
export type ElePartialRefund = {
  refund_order_id: string
  status: number
  reason?: string
  products: { sku_id?: string; custom_sku_id?: string; upc?: string; number: number; total_refund: number }[]
}

/**
 * A customer's request in the newer refund flow, for money, or for money after the goods come back. The platform's
 * reference names commands and states only; the body is assumed to look like that of its messages.
 */
export type ReverseOrder = {
  refund_order_id: string
  reason_content?: string
  refund_status: number
  return_goods_status: number
  /** Absent or empty means the whole order. */
  products?: ElePartialRefund['products']
}

/** The rider of a delivery by the shop. */
type Knight = { name: string; phone: string }

/** An order in the platform's bill; amounts in cents. */
type BillOrder = {
  order_id: string
  trade_create_time: number
  order_detail_fee: {
    product_fee: number
    package_fee: number
    send_fee: number
    commission: number
    shop_rate: number
    platform_rate: number
    user_fee: number
    shop_in_amount: number
  }
}

type ByOrder = { order_id: string }
type Done = null | undefined | true | Record<string, unknown>
type Window = { start_time: number; end_time: number }

/** All commands: request and answer data of each. */
export type EleCommands = {
  'shop.create': [ShopDraft, { baidu_shop_id: string }]
  'shop.update': [Partial<ShopDraft> & EleShopRef, Done]
  'shop.get': [EleShopRef, EleShopFacts]
  'shop.list': [{ sys_status?: number }, EleShopFacts[]]
  'shop.open': [EleShopRef, Done]
  'shop.close': [EleShopRef, Done]
  'shop.status.get': [EleShopRef, { baidu_shop_id: string; sys_status: number; business_status: number }]
  'shop.busstatus.get': [EleShopRef & { platformFlag: 1 | 2 }, { baidu_shop_id: string; shop_busstatus: number }]
  'shop.aptitude.gettypes': [Record<string, never>, LicenceType[]]
  'shop.aptitude.get': [EleShopRef, Licence[]]
  'shop.aptitude.upload': [EleShopRef & { is_delete?: 0 | 1; aptitude: Licence[] }, Done]
  'common.businesscategories': [{ category_id?: string }, BusinessCategory[]]
  'picture.upload': [{ url?: string; data?: string; type?: number }, { url: string; water_url: string }]
  'sku.create': [EleShopRef & SkuDraft, { sku_id: string; upc?: string }]
  'sku.update': [EleShopRef & Partial<SkuDraft> & { sku_id: string }, Done]
  'sku.delete': [EleShopRef & EleSkuRef, Done]
  'sku.list': [
    EleShopRef & { page?: number; pagesize?: number; sku_id?: string; custom_sku_id?: string },
    Page<SkuFacts>,
  ]
  'sku.online': [EleShopRef & EleSkuRef, Done]
  'sku.offline': [EleShopRef & EleSkuRef, Done]
  'sku.price.update.batch': [EleShopRef & ({ skuid_price: string } | { custom_sku_id: string }), Done]
  'sku.stock.update.batch': [EleShopRef & ({ skuid_stocks: string } | { custom_sku_id: string }), Done]
  'sku.shop.category.create': [
    EleShopRef & { parent_category_id: string; name: string; rank?: number },
    { category_id: string },
  ]
  'sku.shop.category.update': [EleShopRef & { category_id: string; name: string; rank?: number }, Done]
  'sku.shop.category.delete': [EleShopRef & { category_id: string }, Done]
  'sku.shop.category.get': [EleShopRef, { categorys: Shelf[] }]
  'order.get': [ByOrder, OrderFacts]
  'order.list': [EleShopRef & Window & { page?: number; status?: number }, Page<OrderBrief>]
  'bill.orderdetail': [EleShopRef & { bill_date: string; page?: number }, Page<BillOrder>]
  'order.status.get': [ByOrder, { status: number }]
  'order.partrefund.get': [ByOrder, ElePartialRefund[]]
  // The name is from the platform's reference, which does not show the body.
  'order.partrefund': [ByOrder & { reason: string; products: { sku_id: string; upc: string; number: number }[] }, Done]
  'order.confirm': [ByOrder, Done]
  'order.cancel': [ByOrder & { type: number; reason: string }, Done]
  'order.pickcomplete': [ByOrder, Done]
  'order.sendout': [ByOrder & { phone: string }, Done]
  /** Reports that the order left and who delivers it; replaces `order.sendout`. */
  'order.selfDeliveryStateSync': [ByOrder & { distributor_id: number; state: number; knight: Knight }, Done]
  'order.complete': [ByOrder, Done]
  'order.reverse.query': [ByOrder, ReverseOrder[]]
  'order.reverse.unprocessedlist': [EleShopRef & { page?: number }, Page<ByOrder & { refund_order_id: string }>]
  'order.reverse.process': [
    ByOrder & { refund_order_id: string; action_type: number; idempotent_id: string; reason_remarks?: string },
    Done,
  ]
  'order.agreerefund': [ByOrder & { refund_order_id: string }, Done]
  'order.disagreerefund': [ByOrder & { refund_order_id: string; refuse_reason: string }, Done]
  'order.agreepartrefund': [ByOrder & { refund_order_id: string }, Done]
  'order.disagreepartrefund': [ByOrder & { refund_order_id: string; refuse_reason: string }, Done]
}

export type EleCommand = keyof EleCommands
