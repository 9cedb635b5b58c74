import { defineDict } from '#kit/resource/index.ts'

export const deviceDictionaries = [
  defineDict({
    code: 'epa_kind',
    label: { zh: '用电用途', en: 'What draws power' },
    entries: [
      { key: 'light', zh: '照明', en: 'Light' },
      { key: 'airCon', zh: '空调', en: 'Air conditioning' },
      { key: 'sign', zh: '招牌', en: 'Sign' },
      { key: 'shelf', zh: '货架', en: 'Shelf' },
      { key: 'fridge', zh: '冷柜', en: 'Fridge' },
      { key: 'other', zh: '其他', en: 'Other' },
    ],
  }),
  defineDict({
    code: 'printer_brand',
    label: { zh: '打印机品牌', en: 'Printer brand' },
    entries: [
      { key: 'feie', zh: '飞鹅', en: 'Feie' },
      { key: 'yilianyun', zh: '易联云', en: 'Yilianyun' },
      { key: 'xpyun', zh: '芯烨云', en: 'Xpyun' },
      { key: 'escpos', zh: '本地 ESC/POS', en: 'Local ESC/POS' },
    ],
  }),
  defineDict({
    code: 'paper_width',
    label: { zh: '纸宽', en: 'Paper width' },
    entries: [
      { key: '58', zh: '58 毫米', en: '58 mm' },
      { key: '80', zh: '80 毫米', en: '80 mm' },
    ],
  }),
  defineDict({
    code: 'printer_usage',
    label: { zh: '打印用途', en: 'What a printer is for' },
    entries: [
      { key: 'receipt', zh: '小票', en: 'Receipts' },
      { key: 'label', zh: '标签', en: 'Labels' },
      { key: 'kitchen', zh: '后厨', en: 'Kitchen' },
    ],
  }),
  defineDict({
    code: 'printer_status',
    label: { zh: '打印机状态', en: 'State of a printer' },
    entries: [
      { key: '0', zh: '离线', en: 'Offline', colour: 'default' },
      { key: '1', zh: '正常', en: 'Ready', colour: 'success' },
      { key: '2', zh: '异常', en: 'In trouble', colour: 'error' },
      { key: '3', zh: '缺纸', en: 'Out of paper', colour: 'warning' },
    ],
  }),
  defineDict({
    code: 'register_pic_position',
    label: { zh: '画面位置', en: 'Place of a picture' },
    entries: [
      { key: 'idle', zh: '待机轮播', en: 'While idle' },
      { key: 'paying', zh: '支付页', en: 'While paying' },
      { key: 'done', zh: '完成页', en: 'When done' },
      { key: 'logo', zh: '标志', en: 'Logo' },
    ],
  }),
  defineDict({
    code: 'version_status',
    label: { zh: '版本状态', en: 'State of a version' },
    entries: [
      { key: '0', zh: '草稿', en: 'Draft', colour: 'default' },
      { key: '1', zh: '已发布', en: 'Published', colour: 'success' },
      { key: '2', zh: '已撤回', en: 'Withdrawn', colour: 'error' },
    ],
  }),
  defineDict({
    code: 'audio_trigger',
    label: { zh: '播放时机', en: 'When it is said' },
    entries: [
      { key: 'enter', zh: '进店', en: 'On entering' },
      { key: 'leave', zh: '离店', en: 'On leaving' },
      { key: 'manual', zh: '手动', en: 'By hand' },
      { key: 'schedule', zh: '定时', en: 'On a schedule' },
      { key: 'alarm', zh: '告警', en: 'On an alarm' },
    ],
  }),
  defineDict({
    code: 'audio_voice',
    label: { zh: '音色', en: 'Voice' },
    entries: [
      { key: 'female', zh: '女声', en: 'Female' },
      { key: 'male', zh: '男声', en: 'Male' },
      { key: 'child', zh: '童声', en: 'Child' },
    ],
  }),
]
