import { defineResource, f, type LocalizedText } from '#kit/resource/index.ts'

const what = { zh: '字段', en: 'Field' }
const how = { zh: '取值', en: 'Value' }
const where = { zh: '出现位置', en: 'Appears in' }

const OPTIONS_TEXT_MAX = 20_000

const place = (label: LocalizedText, help?: LocalizedText) =>
  f.boolean({ label, default: true, group: where, width: 80, help })

/** A field that a tenant added to a resource. */
export const ownField = defineResource({
  name: 'ownField',
  path: '/api/blade-system/own-field',
  label: { zh: '自定义字段', en: 'Custom field' },
  tenancy: 'tenant',
  menu: { under: 'system', path: '/system/ownfield', icon: 'form', sort: 45 },
  title: 'labelZh',
  fields: {
    family: f.text({
      label: { zh: '所属', en: 'Data type' },
      required: true,
      max: 60,
      form: 'add',
      group: what,
      width: 140,
    }),
    familyName: f.text({ label: { zh: '所属名称', en: 'Data type name' }, computed: true, detail: false }),
    labelZh: f.text({
      label: { zh: '中文名称', en: 'Name (Chinese)' },
      required: true,
      max: 20,
      search: 'like',
      group: what,
      width: 150,
    }),
    labelEn: f.text({
      label: { zh: '英文名称', en: 'Name (English)' },
      required: true,
      max: 40,
      search: 'like',
      group: what,
      width: 150,
    }),
    helpZh: f.text({ label: { zh: '中文说明', en: 'Help (Chinese)' }, max: 100, group: what }),
    helpEn: f.text({ label: { zh: '英文说明', en: 'Help (English)' }, max: 100, group: what }),
    kind: f.dict('own_field_kind', {
      label: { zh: '类型', en: 'Type' },
      required: true,
      form: 'add',
      search: 'eq',
      default: 'text',
      group: how,
      width: 120,
      help: { zh: '保存后不能更改', en: 'Cannot be changed after saving' },
    }),
    refersTo: f.dict('own_field_target', {
      label: { zh: '引用对象', en: 'References' },
      requiredWhen: { kind: { eq: 'ref' } },
      form: 'add',
      group: how,
    }),
    options: f.json({
      label: { zh: '选项', en: 'Options' },
      max: OPTIONS_TEXT_MAX,
      group: how,
      wide: true,
      heavy: true,
    }),
    decimals: f.number({
      label: { zh: '小数位数', en: 'Decimals' },
      min: 0,
      max: 4,
      form: 'add',
      group: how,
      help: {
        zh: '0 为整数；有小数位时可为负数',
        en: '0 means whole numbers. With decimals, negative values are allowed.',
      },
    }),
    unit: f.text({ label: { zh: '单位', en: 'Unit' }, max: 10, group: how }),
    defaultValue: f.text({
      label: { zh: '默认值', en: 'Default value' },
      max: 255,
      group: how,
      help: { zh: '新增时自动填入', en: 'Filled in for new records' },
    }),
    required: f.boolean({
      label: { zh: '必填', en: 'Required' },
      default: false,
      group: where,
      width: 80,
      help: { zh: '原有数据不受影响', en: 'Existing records are not affected' },
    }),
    inList: place({ zh: '列表', en: 'List' }),
    inSearch: place({ zh: '筛选', en: 'Filters' }),
    inForm: place({ zh: '表单', en: 'Form' }),
    inExport: place({ zh: '导出', en: 'Export' }),
    inImport: place({ zh: '导入', en: 'Import' }),
    sort: f.number({ label: { zh: '排序', en: 'Sort order' }, min: 0, default: 0, width: 90, group: where }),
    /**
     * Number of the field within the tenant. Never reused, also when another field takes its slot, so that keys stay
     * unique.
     */
    number: f.number({ label: { zh: '序号', en: 'Number' }, form: 'hidden', detail: false }),
    slot: f.text({ label: { zh: '存储位置', en: 'Storage slot' }, max: 4, form: 'hidden', detail: false }),
    /** True when the field is removed and its values are being cleared: it cannot be restored. */
    isClearing: f.boolean({
      label: { zh: '正在清除', en: 'Clearing' },
      default: false,
      form: 'hidden',
      detail: false,
    }),
  },
  list: {
    columns: [
      'labelZh',
      'labelEn',
      'family',
      'kind',
      'required',
      'inList',
      'inSearch',
      'inForm',
      'inExport',
      'inImport',
      'sort',
    ],
    sort: 'sort',
    inline: ['sort'],
  },
  indexes: [['family', 'sort']],
  actions: {
    clear: {
      on: 'toolbar',
      label: { zh: '清除已删除字段', en: 'Clear deleted fields' },
      confirm: {
        zh: '已删除字段的内容将被彻底清除，无法恢复。',
        en: 'Data of deleted fields is permanently removed and cannot be restored.',
      },
      done: { zh: '正在清除', en: 'Clearing' },
      icon: 'delete',
      can: 'delete',
    },
  },
  buttons: { import: false },
  ownFields: false,
})
