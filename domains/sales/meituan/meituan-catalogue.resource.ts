import { defineResource, f, sortOrderField } from '#kit/resource/index.ts'

/** The platform's product categories, as last read. */
export const meituanTagList = defineResource({
  name: 'meituanTagList',
  path: '/api/meituan/meituanTagList',
  label: { zh: '美团类目', en: 'Meituan catalog category', isName: true },
  tenancy: 'shared',
  menu: { under: 'meituan', path: '/meituan/meituanTagList', icon: 'apartment', sort: 60 },
  title: 'name',
  titleCode: 'tagId',
  fields: {
    tagId: f.text({
      label: { zh: '类目编号', en: 'Category ID' },
      required: true,
      max: 64,
      search: 'eq',
      width: 120,
      sample: '200001',
    }),
    name: f.text({
      label: { zh: '类目名称', en: 'Category name' },
      required: true,
      max: 100,
      search: 'like',
      width: 160,
    }),
    level: f.number({ label: { zh: '层级', en: 'Level' }, min: 1, max: 5, default: 1, width: 80 }),
    parentTagId: f.text({ label: { zh: '上级编号', en: 'Parent ID' }, max: 64, search: 'eq', width: 120 }),
    namePath: f.text({ label: { zh: '完整路径', en: 'Full path' }, max: 300, search: 'like', width: 260 }),
  },
  list: { columns: ['tagId', 'name', 'level', 'parentTagId', 'namePath', 'updateTime'], sort: 'tagId' },
  actions: {
    refresh: {
      on: 'toolbar',
      label: { zh: '从美团更新', en: 'Refresh from Meituan' },
      confirm: {
        zh: '重新读取美团的类目，以及在用类目的属性？',
        en: 'Reload the Meituan categories and the attributes of categories in use?',
      },
      done: { zh: '正在更新', en: 'Refreshing' },
      icon: 'redo',
    },
  },
  unique: [['tagId']],
})

/** An attribute that goods of a category have at the platform, and whether it must be filled in. */
export const meituanGeneralAttrs = defineResource({
  name: 'meituanGeneralAttrs',
  path: '/api/meituan/meituanGeneralAttrs',
  label: { zh: '美团类目属性', en: 'Meituan attribute', isName: true },
  tenancy: 'shared',
  menu: { under: 'meituan', path: '/meituan/meituanGeneralAttrs', icon: 'profile', sort: 70 },
  title: 'attrName',
  fields: {
    tagId: f.text({
      label: { zh: '类目编号', en: 'Category ID' },
      required: true,
      max: 64,
      search: 'eq',
      width: 120,
      sample: '200001',
    }),
    attrId: f.text({
      label: { zh: '属性编号', en: 'Attribute ID' },
      required: true,
      max: 64,
      search: 'eq',
      width: 120,
      sample: '1200000088',
    }),
    attrName: f.text({
      label: { zh: '属性名称', en: 'Attribute name' },
      required: true,
      max: 100,
      search: 'like',
      width: 140,
    }),
    attrValueType: f.dict('meituan_attr_type', {
      label: { zh: '取值方式', en: 'Value type' },
      numeric: true,
      default: 1,
      required: true,
      width: 110,
    }),
    isNeeded: f.boolean({ label: { zh: '必填', en: 'Required' }, default: false, search: 'eq', width: 80 }),
    textMaxLength: f.number({ label: { zh: '文本长度', en: 'Text length' }, min: 0, max: 10_000 }),
    sequence: sortOrderField(),
    valueList: f.json({ label: { zh: '可选值', en: 'Options' }, max: 20_000 }),
  },
  list: {
    columns: ['tagId', 'attrId', 'attrName', 'attrValueType', 'isNeeded', 'sequence', 'updateTime'],
    sort: 'tagId',
  },
  unique: [['tagId', 'attrId']],
})
