import { defineDict } from '#kit/resource/index.ts'

export const powerDictionaries = [
  defineDict({
    code: 'epa_kind',
    label: { zh: '用电用途', en: 'Power use' },
    entries: [
      { key: 'light', zh: '照明', en: 'Lighting' },
      { key: 'airCon', zh: '空调', en: 'Air conditioning' },
      { key: 'sign', zh: '招牌', en: 'Sign' },
      { key: 'shelf', zh: '货架', en: 'Shelf' },
      { key: 'fridge', zh: '冷柜', en: 'Fridge' },
      { key: 'other', zh: '其他', en: 'Other' },
    ],
  }),
  defineDict({
    code: 'power_rule_kind',
    label: { zh: '用电规则', en: 'Power schedule type' },
    entries: [
      { key: 'hours', zh: '门店照明时段', en: 'Store lighting hours' },
      { key: 'sunset', zh: '日落后', en: 'After sunset' },
      { key: 'visits', zh: '店内有人', en: 'While occupied' },
      { key: 'times', zh: '固定时段', en: 'Fixed times' },
    ],
  }),
  defineDict({
    code: 'power_weekday',
    label: { zh: '星期', en: 'Weekday' },
    entries: [
      { key: '1', zh: '周一', en: 'Monday' },
      { key: '2', zh: '周二', en: 'Tuesday' },
      { key: '3', zh: '周三', en: 'Wednesday' },
      { key: '4', zh: '周四', en: 'Thursday' },
      { key: '5', zh: '周五', en: 'Friday' },
      { key: '6', zh: '周六', en: 'Saturday' },
      { key: '7', zh: '周日', en: 'Sunday' },
    ],
  }),
]
