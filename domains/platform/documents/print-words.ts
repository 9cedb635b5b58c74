import type { LocalizedText } from '#kit/base/localized-text.ts'

export const words = {
  title: { zh: '打印单据', en: 'Print document' },
  print: { zh: '打印', en: 'Print' },
  document: { zh: '单据', en: 'Document' },
  template: { zh: '模板', en: 'Template' },
  builtIn: { zh: '系统版式', en: 'System layout' },
  templates: { zh: '调整模板', en: 'Edit templates' },
  failed: { zh: '单据没有取到', en: 'The documents could not be loaded' },
  sheets: { zh: '{count} 张单据，{pages} 页', en: '{count} {count|document|documents}, {pages} {pages|page|pages}' },
  printed: { zh: '打印时间', en: 'Printed' },
  sum: { zh: '合计', en: 'Total' },
  lines: { zh: '明细', en: 'Lines' },
  partial: { zh: '部分明细您无权查看，没有打印', en: 'Some lines were not printed because you cannot see them' },
  // Texts of the template form.
  intro: {
    zh: '送货单、退款单、盘点表、采购单、结算单、账单和工单怎么打印：标志、栏目、页脚和两种语言',
    en:
      'How delivery notes, refunds, count sheets, purchase orders, settlements, bills and work orders ' +
      'are printed: logo, fields, footer and languages',
  },
  all: { zh: '全部单据', en: 'All documents' },
  preview: { zh: '预览', en: 'Preview' },
  previewRow: { zh: '以最近一张单据预览', en: 'Preview with the latest document' },
  noRow: { zh: '还没有这种单据可供预览', en: 'No document of this type to preview yet' },
  chooseKind: { zh: '选择单据后在此预览', en: 'Select a document to preview it here' },
  usual: { zh: '系统默认', en: 'System default' },
  restore: { zh: '恢复默认', en: 'Reset to default' },
  add: { zh: '添加', en: 'Add' },
  addSign: { zh: '添加签字人', en: 'Add signature' },
  none: { zh: '不打印', en: 'Do not print' },
  up: { zh: '上移“{name}”', en: 'Move “{name}” up' },
  down: { zh: '下移“{name}”', en: 'Move “{name}” down' },
  remove: { zh: '去掉“{name}”', en: 'Remove “{name}”' },
  inZh: { zh: '“{name}”的中文名称', en: 'Chinese name of “{name}”' },
  inEn: { zh: '“{name}”的英文名称', en: 'English name of “{name}”' },
  sign: { zh: '签字人 {at}', en: 'Signature {at}' },
} satisfies Record<string, LocalizedText>
