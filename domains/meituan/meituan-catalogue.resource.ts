import { defineResource, f, sort } from '#kit/resource/index.ts'

/** The platform's own categories of goods, as it last gave them. The same for everybody. */
export const meituanTagList = defineResource({
  name: 'meituanTagList',
  path: '/api/meituan/meituanTagList',
  label: { zh: '美团类目', en: 'Category of Meituan' },
  tenancy: 'shared',
  menu: { under: 'meituan', path: '/meituan/meituanTagList', icon: 'apartment', sort: 60 },
  title: 'name',
  titleCode: 'tagId',
  fields: {
    tagId: f.text({
      label: { zh: '类目编号', en: 'Number' },
      required: true,
      max: 64,
      search: 'eq',
      width: 120,
      sample: '200001',
    }),
    name: f.text({ label: { zh: '类目名称', en: 'Name' }, required: true, max: 100, search: 'like', width: 160 }),
    level: f.number({ label: { zh: '层级', en: 'Level' }, min: 1, max: 5, default: 1, width: 80 }),
    parentTagId: f.text({ label: { zh: '上级编号', en: 'Number above' }, max: 64, search: 'eq', width: 120 }),
    namePath: f.text({ label: { zh: '完整路径', en: 'Path' }, max: 300, search: 'like', width: 260 }),
  },
  list: { columns: ['tagId', 'name', 'level', 'parentTagId', 'namePath', 'updateTime'], sort: 'tagId' },
  actions: {
    refresh: {
      on: 'toolbar',
      label: { zh: '从美团更新', en: 'Read again' },
      confirm: {
        zh: '重新读取美团的类目，以及在用类目的属性？',
        en: 'Read the categories of Meituan again, and the attributes of those in use?',
      },
      done: { zh: '正在更新', en: 'Being read' },
      icon: 'redo',
    },
  },
  unique: [['tagId']],
})

/** An attribute that goods of a category have at the platform, and whether it must be filled in. */
export const meituanGeneralAttrs = defineResource({
  name: 'meituanGeneralAttrs',
  path: '/api/meituan/meituanGeneralAttrs',
  label: { zh: '美团类目属性', en: 'Attribute of a category' },
  tenancy: 'shared',
  menu: { under: 'meituan', path: '/meituan/meituanGeneralAttrs', icon: 'profile', sort: 70 },
  title: 'attrName',
  fields: {
    tagId: f.text({
      label: { zh: '类目编号', en: 'Category' },
      required: true,
      max: 64,
      search: 'eq',
      width: 120,
      sample: '200001',
    }),
    attrId: f.text({
      label: { zh: '属性编号', en: 'Number' },
      required: true,
      max: 64,
      search: 'eq',
      width: 120,
      sample: '1200000088',
    }),
    attrName: f.text({ label: { zh: '属性名称', en: 'Name' }, required: true, max: 100, search: 'like', width: 140 }),
    attrValueType: f.dict('meituan_attr_type', {
      label: { zh: '取值方式', en: 'Kind' },
      numeric: true,
      default: 1,
      required: true,
      width: 110,
    }),
    isNeeded: f.boolean({ label: { zh: '必填', en: 'Needed' }, default: false, search: 'eq', width: 80 }),
    textMaxLength: f.number({ label: { zh: '文本长度', en: 'Length of text' }, min: 0, max: 10_000 }),
    sequence: sort(),
    valueList: f.json({ label: { zh: '可选值', en: 'Choices' }, max: 20_000 }),
  },
  list: {
    columns: ['tagId', 'attrId', 'attrName', 'attrValueType', 'isNeeded', 'sequence', 'updateTime'],
    sort: 'tagId',
  },
  unique: [['tagId', 'attrId']],
})
