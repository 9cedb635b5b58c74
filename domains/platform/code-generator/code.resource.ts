import { defineResource, f, objectSchema, textSchema, rowIdSchema } from '#kit/resource/index.ts'
import { model } from './model.resource.ts'

const what = { zh: '生成什么', en: 'Content' }
const place = { zh: '放在哪里', en: 'Location' }
const shape = { zh: '结构', en: 'Structure' }
/** Group label of the fields that older clients send for their own generator: stored, not used here. */
const theirs = { zh: '旧版参数', en: 'Parameters of older clients' }

const PAGE = '(/[A-Za-z][\\w-]*){1,4}'
/**
 * Formats of an entry's paths and table name. Not checked on entries with `packageName`: those come from older clients,
 * which put paths on their own disk and table names of their own there (wire contract §18.4).
 */
export const codeFieldFormats = {
  apiPath: {
    pattern: `^/api${PAGE}$`,
    patternWords: {
      zh: '{label}应以 /api/ 开头，只含字母、数字、下划线、连字符和斜杠，如 /api/shop/shelf',
      en:
        '{label} must start with /api/ and contain only letters, digits, _, - and slashes, for example, ' +
        '/api/shop/shelf',
    },
  },
  webPath: {
    pattern: `^${PAGE}$`,
    patternWords: {
      zh: '{label}应以 / 开头，只含字母、数字、下划线、连字符和斜杠，如 /goods/shelf',
      en: '{label} must start with / and contain only letters, digits, _, - and slashes, for example, /goods/shelf',
    },
  },
  tableName: {
    pattern: '^[a-z][a-z0-9_]{0,50}$',
    patternWords: {
      zh: '{label}由小写字母开头，只含小写字母、数字和下划线，如 shelf',
      en:
        '{label} must start with a lowercase letter and contain only lowercase letters, digits and _, for ' +
        'example, shelf',
    },
  },
}

/** An entry of the code generator: which files are generated from a model, and for which module. */
export const code = defineResource({
  name: 'code',
  path: '/api/blade-develop/code',
  table: 'develop_code',
  label: { zh: '代码生成', en: 'Code generator entry', many: 'Code generator' },
  tenancy: 'tenant',
  menu: { under: 'tool', path: '/tool/code', icon: 'code', sort: 10 },
  title: 'codeName',
  fields: {
    codeName: f.text({ label: { zh: '名称', en: 'Name' }, required: true, max: 60, search: 'like', group: what }),
    modelId: f.ref(model.name, {
      label: { zh: '数据模型', en: 'Data model' },
      required: true,
      search: 'eq',
      onRemoval: 'refuse',
      group: what,
    }),
    withPage: f.boolean({ label: { zh: '生成页面文件', en: 'Generate page file' }, default: false, group: what }),
    withServer: f.boolean({ label: { zh: '生成服务端文件', en: 'Generate server file' }, default: false, group: what }),
    serviceName: f.text({
      label: { zh: '所属板块', en: 'Module' },
      required: true,
      max: 100,
      search: 'like',
      pattern: '^[A-Za-z][\\w-]*$',
      patternWords: {
        zh: '{label}由字母开头，只含字母、数字、下划线和连字符，如 goods',
        en: '{label} must start with a letter and contain only letters, digits, _ and -, for example, goods',
      },
      sample: 'goods',
      group: place,
      help: {
        zh: '代码目录，如 goods；没有则新建',
        en: 'Code folder, for example, goods. Created if it does not exist.',
      },
    }),
    apiPath: f.text({
      label: { zh: '接口地址', en: 'API path' },
      max: 255,
      sample: '/api/shop/shelf',
      group: place,
      help: {
        zh: '如 /api/shop/shelf；留空按板块和编号',
        en: 'For example, /api/shop/shelf. Leave blank to derive it from module and code.',
      },
    }),
    webPath: f.text({
      label: { zh: '页面地址', en: 'Page path' },
      max: 255,
      sample: '/goods/shelf',
      group: place,
      help: {
        zh: '如 /goods/shelf；留空按板块和编号',
        en: 'For example, /goods/shelf. Leave blank to derive it from module and code.',
      },
    }),
    menuUnder: f.text({
      label: { zh: '上级菜单编号', en: 'Parent menu code' },
      max: 60,
      pattern: '^\\w+$',
      patternWords: { zh: '{label}只能含字母、数字和下划线', en: '{label} can contain only letters, digits and _' },
      sample: 'goods',
      group: place,
      help: { zh: '留空为板块同名菜单', en: 'Leave blank to use the menu named like the module' },
    }),
    menuIcon: f.icon({ label: { zh: '菜单图标', en: 'Icon' }, group: place }),
    tableName: f.text({
      label: { zh: '表名', en: 'Table name' },
      max: 60,
      search: 'like',
      sample: 'shelf',
      group: place,
      help: {
        zh: '本产品中的表名，留空按编号',
        en: 'The table name in this product. Leave blank to derive it from the code.',
      },
    }),
    tenancyKind: f.dict('code_tenancy', {
      label: { zh: '数据归属', en: 'Ownership' },
      required: true,
      default: 'tenant',
      group: shape,
    }),
    templateType: f.dict('code_template', { label: { zh: '模板', en: 'Template' }, default: 'crud', group: shape }),
    treePid: f.text({ label: { zh: '上级列', en: 'Parent column' }, max: 64, group: shape }),
    subModelId: f.ref(model.name, {
      label: { zh: '子表模型', en: 'Line table model' },
      onRemoval: 'refuse',
      group: shape,
    }),
    subFkId: f.text({
      label: { zh: '子表外键列', en: 'Line table foreign key' },
      max: 64,
      group: shape,
    }),
    author: f.text({ label: { zh: '作者', en: 'Author' }, max: 60, group: theirs }),
    tablePrefix: f.text({ label: { zh: '表前缀', en: 'Table prefix' }, max: 60, group: theirs }),
    pkName: f.text({ label: { zh: '主键', en: 'Primary key' }, max: 60, group: theirs }),
    packageName: f.text({ label: { zh: '包名', en: 'Package name' }, max: 255, group: theirs }),
    baseMode: f.dict('yes_no', { label: { zh: '基础业务', en: 'Base mode' }, numeric: true, group: theirs }),
    wrapMode: f.dict('yes_no', { label: { zh: '包装器', en: 'Wrapper' }, numeric: true, group: theirs }),
    feignMode: f.dict('yes_no', { label: { zh: '远程调用', en: 'Remote calls' }, numeric: true, group: theirs }),
    codeStyle: f.text({ label: { zh: '代码风格', en: 'Code style' }, max: 60, group: theirs }),
    treeId: f.text({ label: { zh: '树主键', en: 'Tree key' }, max: 64, group: theirs }),
    treeName: f.text({ label: { zh: '树名称列', en: 'Tree name column' }, max: 64, group: theirs }),
  },
  list: {
    columns: ['codeName', 'modelId', 'serviceName', 'templateType', 'withPage', 'withServer', 'createTime'],
    time: false,
  },
  unique: [['codeName']],
  actions: {
    gen: {
      on: 'bulk',
      path: 'gen-code',
      label: { zh: '生成代码', en: 'Generate' },
      done: { zh: '代码生成成功', en: 'Code generated' },
      icon: 'code',
      input: { system: f.text({ label: { zh: '目标系统', en: 'Target' }, max: 60 }) },
      answer: objectSchema({ ticket: textSchema }),
    },
    copy: {
      on: 'row',
      label: { zh: '复制', en: 'Copy' },
      answer: objectSchema({ id: rowIdSchema }),
      icon: 'copy',
    },
  },
})
