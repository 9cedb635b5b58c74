import { defineResource, f, remarkField } from '#kit/resource/index.ts'

const layout = { zh: '版式', en: 'Layout' }
const words = { zh: '文字', en: 'Content' }
const content = { zh: '内容', en: 'Content' }

/** A tenant's template for one kind of document. Where a field is empty, the document's declaration applies. */
export const printTemplate = defineResource({
  name: 'printTemplate',
  path: '/api/prints/template',
  label: { zh: '单据模板', en: 'Document template' },
  tenancy: 'tenant',
  ownFields: false,
  menu: { under: 'device', path: '/device/printTemplate', icon: 'printer', sort: 43 },
  title: 'name',
  fields: {
    kind: f.text({
      label: { zh: '单据', en: 'Document' },
      required: true,
      max: 60,
      form: 'add',
      group: layout,
      width: 150,
    }),
    kindName: f.text({
      label: { zh: '单据', en: 'Document' },
      computed: true,
      form: 'hidden',
      detail: false,
      width: 150,
    }),
    name: f.text({
      label: { zh: '模板名称', en: 'Template name' },
      required: true,
      max: 60,
      search: 'like',
      group: layout,
      width: 180,
    }),
    isDefault: f.boolean({
      label: { zh: '默认使用', en: 'Default' },
      default: true,
      help: {
        zh: '每种单据一个默认模板，打印时可另选',
        en: 'One default template per document. Another can be selected when printing.',
      },
      group: layout,
      width: 100,
    }),
    paper: f.dict('print_paper', {
      label: { zh: '纸张', en: 'Paper' },
      required: true,
      default: 'a4',
      search: 'eq',
      group: layout,
      width: 130,
    }),
    language: f.dict('print_language', {
      label: { zh: '语言', en: 'Language' },
      required: true,
      default: 'reader',
      group: layout,
      width: 110,
    }),
    logo: f.picture({ label: { zh: '标志', en: 'Logo' }, group: layout, width: 80 }),
    titleZh: f.text({
      label: { zh: '标题（中文）', en: 'Title (Chinese)' },
      max: 60,
      help: { zh: '不填则为单据名称', en: 'Leave blank to use the document name' },
      group: words,
    }),
    titleEn: f.text({ label: { zh: '标题（英文）', en: 'Title (English)' }, max: 60, group: words }),
    headZh: f.longText({
      label: { zh: '抬头（中文）', en: 'Header (Chinese)' },
      max: 300,
      rows: 2,
      help: {
        zh: '公司名称、地址、电话等，印在首页标题下',
        en: 'Company name, address and phone, printed below the title of the first page',
      },
      group: words,
    }),
    headEn: f.longText({ label: { zh: '抬头（英文）', en: 'Header (English)' }, max: 300, rows: 2, group: words }),
    footerZh: f.longText({
      label: { zh: '页脚（中文）', en: 'Footer (Chinese)' },
      max: 500,
      rows: 2,
      help: { zh: '条款、银行账户等，印在签字之后', en: 'Terms or bank account, printed after the signatures' },
      group: words,
    }),
    footerEn: f.longText({ label: { zh: '页脚（英文）', en: 'Footer (English)' }, max: 500, rows: 2, group: words }),
    facts: f.json({
      label: { zh: '抬头栏目', en: 'Header fields' },
      wide: true,
      detail: false,
      max: 20_000,
      group: content,
    }),
    columns: f.json({
      label: { zh: '明细列', en: 'Line columns' },
      wide: true,
      detail: false,
      max: 20_000,
      group: content,
    }),
    totals: f.json({ label: { zh: '合计', en: 'Totals' }, wide: true, detail: false, max: 20_000, group: content }),
    signs: f.json({ label: { zh: '签字栏', en: 'Signatures' }, wide: true, detail: false, max: 5000, group: content }),
    remark: remarkField(),
  },
  list: { columns: ['name', 'kindName', 'isDefault', 'paper', 'language', 'titleZh', 'updateTime'], time: false },
  buttons: { import: false },
  unique: [['kind', 'name']],
})
