import { MANAGEMENT_TENANT } from '#kit/server/base/caller.ts'
import type { Db } from '#kit/server/database/db.ts'
import type { Services } from '#kit/server/module/services.ts'
import { secretCipherOf } from '#domains/platform/files/api.ts'
import { code } from './code.resource.ts'
import { dataSource } from './data-source.resource.ts'
import { MYSQL_DRIVER_CLASS, POSTGRES_DRIVER_CLASS } from './dictionaries.ts'
import { model, modelPrototype } from './model.resource.ts'
import { createModelColumn, type ModelColumn } from './part.ts'

/** Data sources for display only: their hosts do not exist. */
const SOURCES = [
  {
    name: '总部进销存',
    driverClass: POSTGRES_DRIVER_CLASS,
    host: 'erp.example.com',
    port: 5432,
    databaseName: 'erp',
    schemaName: 'public',
    username: 'office_reader',
    remark: '只读账号；演示地址，不会真正连接',
  },
  {
    name: '旧会员系统',
    driverClass: MYSQL_DRIVER_CLASS,
    host: 'members.example.com',
    port: 3306,
    databaseName: 'vip',
    username: 'office_reader',
    remark: '演示地址，不会真正连接',
  },
]

const SHELF: Partial<ModelColumn>[] = [
  {
    jdbcName: 'shop_id',
    jdbcType: 'bigint',
    labelZh: '门店',
    labelEn: 'Shop',
    fieldKind: 'ref',
    refTable: 'shop',
    refTo: 'basicShopInfo',
    isRequired: 1,
    isQuery: 1,
    queryType: 'equal',
  },
  {
    jdbcName: 'shelf_no',
    jdbcType: 'varchar(20)',
    labelZh: '货架号',
    labelEn: 'Shelf no.',
    columnLength: 20,
    isRequired: 1,
    isQuery: 1,
    uniqueGroup: 'shelf_once',
  },
  {
    jdbcName: 'temper',
    jdbcType: 'integer',
    comment: '温层：1常温 2冷藏 3冷冻',
    labelZh: '温层',
    labelEn: 'Temperature',
    fieldKind: 'dict',
    defaultValue: '1',
    isQuery: 1,
    queryType: 'equal',
    options: [
      { key: '1', zh: '常温', en: 'Ambient' },
      { key: '2', zh: '冷藏', en: 'Chilled' },
      { key: '3', zh: '冷冻', en: 'Frozen' },
    ],
  },
  { jdbcName: 'layers', jdbcType: 'smallint', labelZh: '层数', labelEn: 'Layers', fieldKind: 'number' },
  {
    jdbcName: 'rent',
    jdbcType: 'numeric(10,2)',
    labelZh: '月租',
    labelEn: 'Monthly rent',
    fieldKind: 'money',
    columnScale: 2,
  },
  {
    jdbcName: 'is_open',
    jdbcType: 'boolean',
    labelZh: '启用',
    labelEn: 'In use',
    fieldKind: 'boolean',
    defaultValue: 'true',
  },
  { jdbcName: 'opened', jdbcType: 'date', labelZh: '启用日期', labelEn: 'In use since', fieldKind: 'date' },
  {
    jdbcName: 'note',
    jdbcType: 'text',
    labelZh: '说明',
    labelEn: 'Note',
    fieldKind: 'longText',
    columnLength: 800,
    isList: 0,
    isRow: 1,
  },
]

/** Seeds two data sources, a model of one of their tables, and its generator entry. */
export async function seedCodeGenerator(all: Db, services: Services): Promise<void> {
  const password = secretCipherOf(services).seal('story')
  const [erp] = [
    await all.insert(dataSource, { ...SOURCES[0]!, password, useTls: true }),
    await all.insert(dataSource, { ...SOURCES[1]!, password, useTls: false }),
  ]
  await all.asTenant(MANAGEMENT_TENANT, async (own) => {
    const shelf = await own.insert(model, {
      datasourceId: erp.id,
      modelTable: 'goods_shelf',
      modelName: '货架',
      modelNameEn: 'Shelf',
      modelCode: 'goodsShelf',
      modelClass: 'Shelf',
      modelRemark: '门店里的货架，按门店编号',
    })
    for (const [sort, part] of SHELF.entries())
      await own.insert(modelPrototype, {
        ...createModelColumn(part),
        modelId: shelf.id,
        sort,
        fieldKind: part.fieldKind ?? 'text',
      })
    await own.insert(code, {
      codeName: '货架',
      modelId: shelf.id,
      serviceName: 'goods',
      menuUnder: 'goods',
      menuIcon: 'database',
      tenancyKind: 'tenant',
      templateType: 'crud',
      withPage: false,
      withServer: false,
    })
  })
}
