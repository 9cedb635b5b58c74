import { defineRefusals, type CodesOf } from '#kit/server/base/refused.ts'

const refusals = defineRefusals({
  own_no_room: {
    zh: '“{family}”的这类字段最多 {max} 个（含回收站中的 {removed} 个），可清除已删除的字段后再试',
    en:
      '“{family}” can have up to {max} fields of this type (including {removed} in the recycle bin). ' +
      'Clear deleted fields and try again.',
  },
  own_not_here: { zh: '“{family}”不能添加自定义字段', en: 'Custom fields cannot be added to “{family}”' },
  own_choices_needed: { zh: '请填写选项', en: 'Enter the options' },
  own_choices_wrong: {
    zh: '第 {at} 个选项：中英文名称都要填写，各不超过 {max} 个字，且不能重复',
    en: 'Option {at} needs a Chinese and an English name with up to {max} characters each, and names must be unique',
  },
  own_choices_many: { zh: '最多 {max} 个选项', en: 'Up to {max} {max|option|options}' },
  own_required_places: {
    zh: '必填字段必须出现在表单和导入中',
    en: 'Required fields must appear in the form and in imports',
  },
  own_cleared: { zh: '字段内容已清除，不能恢复', en: 'The field data was cleared and cannot be restored' },
})

declare module '#kit/server/base/refused.ts' {
  interface Refusals extends CodesOf<typeof refusals> {}
}
