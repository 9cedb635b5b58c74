import { defineRefusals, type CodesOf } from '#kit/server/refused.ts'

const refusals = defineRefusals({
  own_no_room: {
    zh: '“{family}”的这类字段最多 {max} 个（含回收站中的 {removed} 个），可清除已删除的字段后再试',
    en: '"{family}" has room for {max} fields of this kind, {removed} of them in the recycle bin: clear those first',
  },
  own_not_here: { zh: '“{family}”不能添加自定义字段', en: '"{family}" takes no own fields' },
  own_choices_needed: { zh: '请填写选项', en: 'The choices are missing' },
  own_choices_wrong: {
    zh: '第 {at} 个选项：中英文名称都要填写，各不超过 {max} 个字，且不能重复',
    en: 'Choice {at}: it needs a name in both languages, at most {max} characters each, and no name twice',
  },
  own_choices_many: { zh: '最多 {max} 个选项', en: 'At most {max} choices' },
  own_required_places: {
    zh: '必填字段必须出现在表单和导入中',
    en: 'What is required has to stand in the form and in imports',
  },
  own_cleared: { zh: '字段内容已清除，不能恢复', en: 'What the field held has been cleared: it cannot come back' },
})

declare module '#kit/server/refused.ts' {
  interface Refusals extends CodesOf<typeof refusals> {}
}
