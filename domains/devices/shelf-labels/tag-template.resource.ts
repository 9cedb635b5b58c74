import { defineResource, f, nameField, remarkField } from '#kit/resource/index.ts'
import { DEFAULT_TAG_SIZE } from './tag-templates.ts'

/** A tenant's own layout for tags of a size. */
export const tagTemplate = defineResource({
  name: 'tagTemplate',
  path: '/api/shop/tagTemplate',
  label: { zh: '价签模板', en: 'ESL template' },
  tenancy: 'tenant',
  menu: { under: 'goods', path: '/goods/tagTemplate', icon: 'layout', sort: 63 },
  title: 'name',
  fields: {
    name: nameField({ required: true, width: 140 }),
    model: f.dict('tag_model', {
      label: { zh: '价签尺寸', en: 'Tag size' },
      required: true,
      form: 'add',
      default: DEFAULT_TAG_SIZE,
      search: 'eq',
      width: 110,
    }),
    isDefault: f.boolean({
      label: { zh: '这个尺寸默认', en: 'Default for this size' },
      default: false,
      search: 'eq',
      help: {
        zh: '这个尺寸选“标准”且没有指定模板的价签都用它',
        en: 'Used by all tags of this size that are set to “Standard” and have no template',
      },
      width: 120,
    }),
    elements: f.json({
      label: { zh: '画面', en: 'Layout' },
      max: 8_000,
      wide: true,
      width: 180,
    }),
    remark: remarkField(),
  },
  list: { columns: ['name', 'elements', 'model', 'isDefault', 'remark', 'updateTime'], time: false },
  unique: [['name']],
  buttons: { import: false },
})
