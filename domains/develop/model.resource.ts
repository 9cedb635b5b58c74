import { defineResource, f, remark, sort } from '#kit/resource/index.ts'
import { dataSource } from './data-source.resource.ts'

const NAME = {
  pattern: '^[A-Za-z][A-Za-z0-9_]*$',
  patternWords: {
    zh: '{label}由字母开头，只含字母、数字和下划线',
    en: '{label} begins with a letter; letters, digits and underscores follow',
  },
}
const ENGLISH = {
  pattern: '^[^\\p{Script=Han}]*$',
  patternWords: { zh: '{label}不能含中文', en: '{label} holds no Chinese' },
}

/** What a family is made from: a table as it was read, or columns somebody wrote. */
export const model = defineResource({
  name: 'model',
  path: '/api/blade-develop/model',
  table: 'develop_model',
  label: { zh: '数据模型', en: 'Model' },
  tenancy: 'tenant',
  menu: { under: 'tool', path: '/tool/model', icon: 'profile', sort: 20 },
  title: 'modelName',
  fields: {
    datasourceId: f.ref(dataSource.name, {
      label: dataSource.label,
      search: 'eq',
      onRemoval: 'refuse',
      blank: { zh: '手工', en: 'By hand' },
      help: { zh: '留空则手工定义字段', en: 'Empty: columns are written by hand' },
    }),
    modelTable: f.text({
      label: { zh: '数据表', en: 'Table' },
      max: 100,
      search: 'like',
      help: { zh: '先选数据源，再选表', en: 'Choose the data source first' },
    }),
    modelName: f.text({ label: { zh: '模型名称', en: 'Name' }, required: true, max: 50, search: 'like' }),
    modelNameEn: f.text({
      label: { zh: '英文名称', en: 'English name' },
      max: 50,
      ...ENGLISH,
      sample: 'Shelf',
      help: { zh: '英文界面上的名称', en: 'What it is called in English' },
    }),
    modelCode: f.text({
      label: { zh: '模型编号', en: 'Code' },
      required: true,
      max: 50,
      search: 'like',
      ...NAME,
      sample: (n) => `model${n}`,
    }),
    modelClass: f.text({ label: { zh: '类名', en: 'Class' }, max: 100 }),
    modelRemark: f.text({ label: { zh: '模型备注', en: 'Remark' }, max: 200 }),
  },
  list: {
    columns: ['modelName', 'modelCode', 'datasourceId', 'modelTable', 'modelRemark', 'createTime'],
    time: false,
  },
  unique: [['modelCode']],
})

export const OWNER = { zh: '所属模型', en: 'Model' }
const flag = <const Z extends string, const E extends string>(zh: Z, en: E, given: 0 | 1) =>
  f.dict('zero_one', { label: { zh, en }, numeric: true, default: given })

/** One column of a model: what the table says, and what somebody decided about the field it becomes. */
export const modelPrototype = defineResource({
  name: 'modelPrototype',
  path: '/api/blade-develop/model-prototype',
  code: 'model',
  table: 'develop_prototype',
  label: { zh: '模型字段', en: 'Column of a model' },
  tenancy: 'tenant',
  title: 'jdbcName',
  fields: {
    modelId: f.ref(model.name, { label: OWNER, required: true, search: 'eq', onRemoval: 'remove' }),
    jdbcName: f.text({ label: { zh: '列名', en: 'Column' }, required: true, max: 64, search: 'like' }),
    jdbcType: f.text({ label: { zh: '列类型', en: 'Type' }, max: 100 }),
    propertyName: f.text({
      label: { zh: '字段名', en: 'Field' },
      required: true,
      max: 50,
      ...NAME,
      sample: (n) => `field${n}`,
    }),
    propertyType: f.text({ label: { zh: '值类型', en: 'Type of value' }, max: 64 }),
    propertyEntity: f.text({ label: { zh: '值的类', en: 'Class of value' }, max: 100 }),
    comment: f.text({ label: { zh: '列注释', en: 'Comment' }, max: 1000, also: 'jdbcComment' }),
    labelZh: f.text({ label: { zh: '中文名称', en: 'Chinese label' }, max: 40 }),
    labelEn: f.text({
      label: { zh: '英文名称', en: 'English label' },
      max: 60,
      ...ENGLISH,
      sample: 'Shelf no.',
    }),
    fieldKind: f.dict('field_kind', { label: { zh: '字段类型', en: 'Kind' } }),
    isList: flag('列表显示', 'In the list', 1),
    isForm: flag('表单显示', 'In the form', 1),
    isRow: flag('独占一行', 'A row of its own', 0),
    isRequired: flag('必填', 'Required', 0),
    isQuery: flag('查询', 'Searched', 0),
    componentType: f.dict('component_type', { label: { zh: '组件类型', en: 'Component' } }),
    dictCode: f.text({ label: { zh: '字典编号', en: 'Dictionary' }, max: 50 }),
    queryType: f.dict('query_type', { label: { zh: '查询方式', en: 'Searched by' } }),
    options: f.json({ label: { zh: '字典项', en: 'Choices' }, max: 20_000 }),
    refTable: f.text({ label: { zh: '外键表', en: 'Foreign table' }, max: 100 }),
    refTo: f.text({ label: { zh: '引用业务', en: 'Family it leads to' }, max: 60 }),
    columnLength: f.number({ label: { zh: '长度', en: 'Length' }, min: 0, big: true }),
    columnScale: f.number({ label: { zh: '小数位', en: 'Decimals' }, min: 0, max: 100 }),
    defaultValue: f.text({ label: { zh: '默认值', en: 'Default' }, max: 255 }),
    uniqueGroup: f.text({ label: { zh: '唯一组', en: 'Unique set' }, max: 64 }),
    sort: sort(),
    remark: remark({ form: 'hidden' }),
  },
  list: { columns: ['jdbcName', 'propertyName', 'fieldKind', 'createTime'], sort: 'sort' },
  buttons: { export: false, import: false },
  indexes: [['modelId', 'sort']],
  remove: 'hard',
})
