import { defineParam } from '#kit/resource/index.ts'

export const UNSAFE_EVENTS = defineParam({
  key: 'platform.unsafeEvents',
  value: 'doorForced,doorLeftOpen,lockFault,intrusion,sos,temperature,offline',
  label: { zh: '哪些门店事件暂停平台营业', en: 'Events that pause a shop on delivery platforms' },
  help: {
    zh: '事件类型编号，逗号分隔；“设备离线”只算整店失联和用电设备失联。事件解决后自动恢复营业',
    en: 'Kinds of events, with commas; “offline” counts for a whole shop and for its power. Solved, it opens again',
  },
})

export const UNSAFE_MINUTES = defineParam({
  key: 'platform.unsafeMinutes',
  value: '0',
  number: { min: 0, max: 1440 },
  label: { zh: '事件持续多少分钟后暂停平台营业', en: 'Minutes such an event lasts before a shop is paused' },
  help: { zh: '0 为立即暂停', en: '0: at once' },
})

export const LEAST_GOODS = defineParam({
  key: 'platform.leastGoods',
  value: '1',
  number: { min: 0, max: 10_000 },
  label: { zh: '平台上至少有几种商品有货', en: 'Goods in stock a shop needs on a platform' },
  help: {
    zh: '有货的商品少于这么多种时暂停平台营业；0 为不看库存',
    en: 'With fewer kinds of goods in stock it is paused there; 0: stock does not matter',
  },
})

export const platformParams = [UNSAFE_EVENTS, UNSAFE_MINUTES, LEAST_GOODS]
