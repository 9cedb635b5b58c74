import { defineResource, f, remarkField, sortOrderField } from '#kit/resource/index.ts'
import { dataSource } from './data-source.resource.ts'

const NAME = {
  pattern: '^[A-Za-z][A-Za-z0-9_]*$',
  patternWords: {
    zh: '{label}由字母开头，只含字母、数字和下划线',
    en: '{label} must start with a letter and contain only letters, digits and underscores',
  },
}
const ENGLISH = {
  pattern: '^[^\\p{Script=Han}]*$',
  patternWords: { zh: '{label}不能含中文', en: '{label} cannot contain Chinese characters' },
}

/** A data model from which a resource is generated: read from a table or entered by hand. */
export const model = defineResource({
  name: 'model',
  path: '/api/blade-develop/model',
  table: 'develop_model',
  label: { zh: '数据模型', en: 'Data model' },
  tenancy: 'tenant',
  menu: { under: 'tool', path: '/tool/model', icon: 'profile', sort: 20 },
  title: 'modelName',
  fields: {
    datasourceId: f.ref(dataSource.name, {
      label: dataSource.label,
      search: 'eq',
      onRemoval: 'refuse',
      emptyLabel: { zh: '手工', en: 'Manual' },
      help: { zh: '留空则手工定义字段', en: 'Leave blank to define the fields manually' },
    }),
    modelTable: f.text({
      label: { zh: '数据表', en: 'Table' },
      max: 100,
      search: 'like',
      help: { zh: '先选数据源，再选表', en: 'Select the data source first, then the table' },
    }),
    modelName: f.text({ label: { zh: '模型名称', en: 'Model name' }, required: true, max: 50, search: 'like' }),
    modelNameEn: f.text({
      label: { zh: '英文名称', en: 'English name' },
      max: 50,
      ...ENGLISH,
      sample: 'Shelf',
      help: { zh: '英文界面上的名称', en: 'Name in the English interface' },
    }),
    modelCode: f.text({
      label: { zh: '模型编号', en: 'Model code' },
      required: true,
      max: 50,
      search: 'like',
      ...NAME,
      sample: (n) => `model${n}`,
    }),
    modelClass: f.text({ label: { zh: '类名', en: 'Class name' }, max: 100 }),
    modelRemark: f.text({ label: { zh: '模型备注', en: 'Model note' }, max: 200 }),
  },
  list: {
    columns: ['modelName', 'modelCode', 'datasourceId', 'modelTable', 'modelRemark', 'createTime'],
    time: false,
  },
  unique: [['modelCode']],
})

export const MODEL_FIELD_LABEL = { zh: '所属模型', en: 'Model' }
const flag = <const Z extends string, const E extends string>(zh: Z, en: E, given: 0 | 1) =>
  f.dict('zero_one', { label: { zh, en }, numeric: true, default: given })

/** A column of a model: its database type and the chosen properties of the field it becomes. */
export const modelPrototype = defineResource({
  name: 'modelPrototype',
  path: '/api/blade-develop/model-prototype',
  code: 'model',
  table: 'develop_prototype',
  label: { zh: '模型字段', en: 'Model field' },
  tenancy: 'tenant',
  title: 'jdbcName',
  fields: {
    modelId: f.ref(model.name, { label: MODEL_FIELD_LABEL, required: true, search: 'eq', onRemoval: 'remove' }),
    jdbcName: f.text({ label: { zh: '列名', en: 'Column name' }, required: true, max: 64, search: 'like' }),
    jdbcType: f.text({ label: { zh: '列类型', en: 'Column type' }, max: 100 }),
    propertyName: f.text({
      label: { zh: '字段名', en: 'Field name' },
      required: true,
      max: 50,
      ...NAME,
      sample: (n) => `field${n}`,
    }),
    propertyType: f.text({ label: { zh: '值类型', en: 'Value type' }, max: 64 }),
    propertyEntity: f.text({ label: { zh: '值的类', en: 'Value class' }, max: 100 }),
    comment: f.text({ label: { zh: '列注释', en: 'Column comment' }, max: 1000, wireAlias: 'jdbcComment' }),
    labelZh: f.text({ label: { zh: '中文名称', en: 'Name (Chinese)' }, max: 40 }),
    labelEn: f.text({
      label: { zh: '英文名称', en: 'Name (English)' },
      max: 60,
      ...ENGLISH,
      sample: 'Shelf no.',
    }),
    fieldKind: f.dict('field_kind', { label: { zh: '字段类型', en: 'Field type' } }),
    isList: flag('列表显示', 'In list', 1),
    isForm: flag('表单显示', 'In form', 1),
    isRow: flag('独占一行', 'Full row', 0),
    isRequired: flag('必填', 'Required', 0),
    isQuery: flag('查询', 'Searchable', 0),
    componentType: f.dict('component_type', { label: { zh: '组件类型', en: 'Component type' } }),
    dictCode: f.text({ label: { zh: '字典编号', en: 'Dictionary code' }, max: 50 }),
    queryType: f.dict('query_type', { label: { zh: '查询方式', en: 'Search method' } }),
    options: f.json({ label: { zh: '字典项', en: 'Dictionary entries' }, max: 20_000 }),
    refTable: f.text({ label: { zh: '外键表', en: 'Foreign table' }, max: 100 }),
    refTo: f.text({ label: { zh: '引用业务', en: 'Referenced data' }, max: 60 }),
    columnLength: f.number({ label: { zh: '长度', en: 'Length' }, min: 0, big: true }),
    columnScale: f.number({ label: { zh: '小数位', en: 'Decimals' }, min: 0, max: 100 }),
    defaultValue: f.text({ label: { zh: '默认值', en: 'Default' }, max: 255 }),
    uniqueGroup: f.text({ label: { zh: '唯一组', en: 'Unique group' }, max: 64 }),
    sort: sortOrderField(),
    remark: remarkField({ form: 'hidden' }),
  },
  list: { columns: ['jdbcName', 'propertyName', 'fieldKind', 'createTime'], sort: 'sort' },
  buttons: { export: false, import: false },
  indexes: [['modelId', 'sort']],
  remove: 'hard',
})
