import { defineResource, f, REMARK_LABEL } from '#kit/resource/index.ts'

const derived = (zh: string, en: string) => f.text({ label: { zh, en }, form: 'hidden' })

/** Column name prefixes by level: a region stores code and name of each level down to its own. */
export const regionLevelKeys = { 1: 'province', 2: 'city', 3: 'district', 4: 'town', 5: 'village' } as const

export const region = defineResource({
  name: 'region',
  path: '/api/blade-system/region',
  tenancy: 'platform',
  label: { zh: '行政区划', en: 'Region' },
  menu: { under: 'base', path: '/base/region', icon: 'global', sort: 1 },
  fields: {
    code: f.text({
      label: { zh: '区划编号', en: 'Region code' },
      required: true,
      form: 'add',
      max: 12,
      pattern: '^\\d{2,12}$',
      patternWords: { zh: '{label}应为 2 至 12 位数字', en: '{label} must have 2 to 12 digits' },
      search: 'likeright',
      sample: '9900',
    }),
    parentCode: f.text({
      label: { zh: '父区划编号', en: 'Parent region code' },
      max: 12,
      pattern: '^\\d{1,12}$',
      patternWords: { zh: '{label}应为 1 至 12 位数字', en: '{label} must have 1 to 12 digits' },
      default: '00',
      sample: '00',
    }),
    name: f.text({ label: { zh: '区划名称', en: 'Region name' }, required: true, max: 32, search: 'like' }),
    regionLevel: f.dict('region', {
      label: { zh: '区划级别', en: 'Region level' },
      required: true,
      numeric: true,
      search: 'eq',
    }),
    sort: f.number({ label: { zh: '排序', en: 'Sort order' }, min: 0, max: 1_000_000, default: 1 }),
    isAbolished: f.boolean({
      label: { zh: '已撤销', en: 'Abolished' },
      help: {
        zh: '不再供选择，已填写它的数据照常显示',
        en: 'No longer offered. Data that uses it is still displayed.',
      },
      default: false,
    }),
    asOf: f.date({ label: { zh: '数据日期', en: 'Data as of' }, form: 'hidden' }),
    remark: f.text({ label: REMARK_LABEL }),
    ancestors: f.text({ label: { zh: '祖级编号', en: 'Ancestors' }, form: 'hidden' }),
    provinceCode: derived('省份编号', 'Province code'),
    provinceName: derived('省份', 'Province'),
    cityCode: derived('地市编号', 'City code'),
    cityName: derived('地市', 'City'),
    districtCode: derived('区县编号', 'District code'),
    districtName: derived('区县', 'District'),
    townCode: derived('乡镇编号', 'Town code'),
    townName: derived('乡镇', 'Town'),
    villageCode: derived('村委编号', 'Village code'),
    villageName: derived('村委', 'Village'),
  },
  title: 'name',
  titleCode: 'code',
  list: {
    columns: ['code', 'name', 'regionLevel', 'provinceName', 'cityName', 'isAbolished', 'asOf', 'sort'],
    sort: 'code',
  },
  buttons: { edit: true, export: false, import: false },
  remove: 'hard',
  unique: [['code']],
  indexes: [['parentCode', 'sort']],
  permissions: {
    import: { zh: '导入', en: 'Import' },
    export: { zh: '导出', en: 'Export' },
    debug: { zh: '调试', en: 'Debug' },
  },
})
