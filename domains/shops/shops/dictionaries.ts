import { defineDict } from '#kit/resource/index.ts'

/** Dictionaries of the module's states and choices. */
export const shopDictionaries = [
  defineDict({
    code: 'shop_status',
    label: { zh: '门店状态', en: 'Store status' },
    entries: [
      { key: '0', zh: '筹备中', en: 'Preparing', colour: 'default' },
      { key: '1', zh: '营业中', en: 'Open', colour: 'success' },
      { key: '2', zh: '暂停营业', en: 'Paused', colour: 'warning' },
      { key: '3', zh: '已关店', en: 'Closed', colour: 'error' },
    ],
  }),
  defineDict({
    code: 'shop_mode',
    label: { zh: '经营模式', en: 'Operating mode' },
    entries: [
      { key: '1', zh: '24小时无人', en: 'Unattended 24/7', colour: 'processing' },
      { key: '2', zh: '夜间无人', en: 'Unattended overnight', colour: 'processing' },
      { key: '3', zh: '有人值守', en: 'Staffed', colour: 'default' },
    ],
  }),
  defineDict({
    code: 'shop_position',
    label: { zh: '门店岗位', en: 'Store position' },
    entries: [
      { key: 'boss', zh: '店主', en: 'Store owner' },
      { key: 'clerk', zh: '店员', en: 'Store staff' },
    ],
  }),
]
