import { defineSystemParam } from '#kit/resource/index.ts'

export const UNSAFE_EVENTS_PARAM = defineSystemParam({
  key: 'platform.unsafeEvents',
  value: 'doorForced,doorLeftOpen,lockFault,intrusion,sos,temperature,offline',
  label: { zh: '哪些门店事件暂停平台营业', en: 'Events that pause a store on delivery platforms' },
  help: {
    zh: '事件类型编号，逗号分隔；“设备离线”只算整店失联和用电设备失联。事件解决后自动恢复营业',
    en:
      'Event type IDs separated by commas. “Device offline” only counts when a whole store or its power ' +
      'devices are unreachable. The store reopens automatically when the event is resolved.',
  },
})

export const UNSAFE_MINUTES_PARAM = defineSystemParam({
  key: 'platform.unsafeMinutes',
  value: '0',
  number: { min: 0, max: 1440 },
  label: { zh: '事件持续多少分钟后暂停平台营业', en: 'Event duration before pausing (min)' },
  help: { zh: '0 为立即暂停', en: '0 means immediately' },
})

export const GOODS_IN_STOCK_MIN_PARAM = defineSystemParam({
  key: 'platform.leastGoods',
  value: '1',
  number: { min: 0, max: 10_000 },
  label: { zh: '平台上至少有几种商品有货', en: 'Minimum products in stock at platform' },
  help: {
    zh: '有货的商品少于这么多种时暂停平台营业；0 为不看库存',
    en: 'The store is paused at the platform when fewer products are in stock. 0 means stock is ignored.',
  },
})

export const platformParams = [UNSAFE_EVENTS_PARAM, UNSAFE_MINUTES_PARAM, GOODS_IN_STOCK_MIN_PARAM]
