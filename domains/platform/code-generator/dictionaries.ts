import { defineDict } from '#kit/resource/index.ts'

export const POSTGRES_DRIVER_CLASS = 'org.postgresql.Driver'
export const MYSQL_DRIVER_CLASS = 'com.mysql.cj.jdbc.Driver'

/** Database types; the keys are the driver classes older clients send. */
const sourceKind = defineDict({
  code: 'datasource_kind',
  label: { zh: '数据源类型', en: 'Data source type' },
  entries: [
    { key: POSTGRES_DRIVER_CLASS, zh: 'PostgreSQL', en: 'PostgreSQL' },
    { key: MYSQL_DRIVER_CLASS, zh: 'MySQL / MariaDB', en: 'MySQL / MariaDB' },
  ],
})

export const DATA_SOURCE_REACHABILITY = { well: '1', badly: '2' } as const
const sourceState = defineDict({
  code: 'datasource_state',
  label: { zh: '连接状态', en: 'Connection' },
  entries: [
    { key: DATA_SOURCE_REACHABILITY.well, zh: '可连接', en: 'Reachable', colour: 'success' },
    { key: DATA_SOURCE_REACHABILITY.badly, zh: '连接失败', en: 'Connection failed', colour: 'error' },
  ],
})

const zeroOne = defineDict({
  code: 'zero_one',
  label: { zh: '是否（0/1）', en: 'Yes or no (0/1)' },
  entries: [
    { key: '0', zh: '否', en: 'No' },
    { key: '1', zh: '是', en: 'Yes' },
  ],
})

const fieldKind = defineDict({
  code: 'field_kind',
  label: { zh: '字段类型', en: 'Field type' },
  entries: [
    { key: 'text', zh: '文本', en: 'Text' },
    { key: 'longText', zh: '长文本', en: 'Long text' },
    { key: 'number', zh: '数字', en: 'Number' },
    { key: 'money', zh: '金额', en: 'Amount' },
    { key: 'percent', zh: '百分比', en: 'Percentage' },
    { key: 'boolean', zh: '是否', en: 'Yes/no' },
    { key: 'dict', zh: '字典', en: 'Dictionary' },
    { key: 'ref', zh: '引用', en: 'Reference' },
    { key: 'date', zh: '日期', en: 'Date' },
    { key: 'datetime', zh: '时间', en: 'Date and time' },
    { key: 'phone', zh: '电话', en: 'Phone' },
    { key: 'email', zh: '邮箱', en: 'Email' },
    { key: 'url', zh: '网址', en: 'URL' },
    { key: 'picture', zh: '图片', en: 'Image' },
    { key: 'password', zh: '密码', en: 'Password' },
    { key: 'json', zh: '结构化数据', en: 'Structured data' },
    { key: 'tags', zh: '标签', en: 'Tags' },
    { key: 'none', zh: '略过', en: 'Skipped' },
  ],
})

const componentType = defineDict({
  code: 'component_type',
  label: { zh: '表单组件', en: 'Form component' },
  entries: [
    { key: 'input', zh: '输入框', en: 'Input' },
    { key: 'textarea', zh: '文本域', en: 'Text area' },
    { key: 'select', zh: '下拉框', en: 'Select' },
    { key: 'tree', zh: '树', en: 'Tree' },
    { key: 'radio', zh: '单选框', en: 'Radio buttons' },
    { key: 'checkbox', zh: '多选框', en: 'Checkboxes' },
    { key: 'switch', zh: '开关', en: 'Switch' },
    { key: 'date', zh: '日期框', en: 'Date' },
  ],
})

const queryType = defineDict({
  code: 'query_type',
  label: { zh: '查询方式', en: 'Search method' },
  entries: [
    { key: 'equal', zh: '等于', en: 'Equals' },
    { key: 'notequal', zh: '不等于', en: 'Not equal to' },
    { key: 'gt', zh: '大于', en: 'Greater than' },
    { key: 'ge', zh: '大于等于', en: 'Greater than or equal to' },
    { key: 'lt', zh: '小于', en: 'Less than' },
    { key: 'le', zh: '小于等于', en: 'Less than or equal to' },
    { key: 'between', zh: '区间', en: 'Between' },
    { key: 'like', zh: '包含', en: 'Contains' },
    { key: 'likeleft', zh: '结尾是', en: 'Ends with' },
    { key: 'likeright', zh: '开头是', en: 'Starts with' },
  ],
})

const templateType = defineDict({
  code: 'code_template',
  label: { zh: '代码模板', en: 'Code template' },
  entries: [
    { key: 'crud', zh: '单表', en: 'Single table' },
    { key: 'sub', zh: '主子表', en: 'Header and lines' },
    { key: 'tree', zh: '树表', en: 'Tree' },
  ],
})

const tenancyKind = defineDict({
  code: 'code_tenancy',
  label: { zh: '数据归属', en: 'Ownership' },
  entries: [
    { key: 'tenant', zh: '各租户自己的', en: 'Each tenant has its own' },
    { key: 'shared', zh: '平台共享，租户可添加', en: 'Shared by the platform, tenants can add' },
    { key: 'platform', zh: '平台统一的', en: 'Platform only' },
  ],
})

export const codeGeneratorDictionaries = [
  sourceKind,
  sourceState,
  zeroOne,
  fieldKind,
  componentType,
  queryType,
  templateType,
  tenancyKind,
]
