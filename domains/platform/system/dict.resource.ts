import { defineResource, f, DOTTED_IDENTIFIER_FORMAT } from '#kit/resource/index.ts'

const dictFields = <const T extends string>(self: T) => ({
  parentId: f.tree(self, { label: { zh: '上级字典', en: 'Parent entry' }, labelKey: 'parentName', default: '0' }),
  code: f.text({
    label: { zh: '字典编号', en: 'Dictionary code' },
    required: true,
    max: 64,
    search: 'like',
    ...DOTTED_IDENTIFIER_FORMAT,
    sample: 'sample_code',
  }),
  dictKey: f.text({ label: { zh: '字典键值', en: 'Dictionary key' }, max: 64, default: '-1' }),
  dictValue: f.text({ label: { zh: '字典名称', en: 'Dictionary name' }, required: true, max: 100, search: 'like' }),
  dictValueEn: f.text({ label: { zh: '英文名称', en: 'English name' }, max: 100 }),
  colour: f.text({
    label: { zh: '标签颜色', en: 'Tag color' },
    max: 20,
    pattern: '^(#[0-9A-Fa-f]{6}|[a-z]+)$',
    patternWords: { zh: '{label}应为颜色名称或 #RRGGBB', en: '{label} must be a color name or #RRGGBB' },
    sample: 'blue',
    help: {
      zh: 'success、warning、error、processing、default 或 #RRGGBB',
      en: 'success, warning, error, processing, default or #RRGGBB',
    },
  }),
  sort: f.number({ label: { zh: '字典排序', en: 'Sort order' }, required: true, min: 0, max: 1_000_000, default: 1 }),
  isSealed: f.dict('sealed', { label: { zh: '封存', en: 'Archived' }, required: true, numeric: true, default: 0 }),
  remark: f.text({ label: { zh: '字典备注', en: 'Note' } }),
})

const columns = ['code', 'dictValue', 'dictValueEn', 'dictKey', 'sort', 'isSealed', 'remark'] as const

export const dict = defineResource({
  name: 'dict',
  path: '/api/blade-system/dict',
  tenancy: 'platform',
  label: { zh: '系统字典', en: 'System dictionary' },
  menu: { under: 'system', path: '/system/dict', icon: 'read', sort: 4 },
  fields: dictFields('dict'),
  title: 'dictValue',
  titleCode: 'code',
  list: { columns, sort: 'sort' },
  unique: [['code', 'dictKey']],
  indexes: [['parentId']],
})

export const dictBiz = defineResource({
  name: 'dictBiz',
  path: '/api/blade-system/dict-biz',
  table: 'dict_biz',
  code: 'dictbiz',
  tenancy: 'tenant',
  ownFields: false,
  label: { zh: '业务字典', en: 'Business dictionary' },
  menu: { under: 'system', path: '/system/dictbiz', icon: 'book', sort: 5 },
  fields: dictFields('dictBiz'),
  title: 'dictValue',
  titleCode: 'code',
  list: { columns, sort: 'sort' },
  unique: [['code', 'dictKey']],
  indexes: [['parentId']],
})
