import { defineParam } from '#kit/resource/index.ts'

export const POINTS_FOR_YUAN = defineParam({ key: 'marketing.pointsForYuan', value: '100', number: { min: 0, max: 1_000_000 }, label: { zh: '多少积分抵 1 元', en: 'Points that pay for a yuan' }, help: { zh: '门店可另设；0 为不能抵扣', en: 'A shop may say otherwise; 0: they pay for nothing' } })
export const POINTS_SHARE = defineParam({ key: 'marketing.pointsShare', value: '50', number: { min: 0, max: 100 }, label: { zh: '积分最多抵扣订单的百分之几', en: 'Per cent of an order that points may pay' }, help: { zh: '门店可另设', en: 'A shop may say otherwise' } })

export const marketingParams = [POINTS_FOR_YUAN, POINTS_SHARE]
