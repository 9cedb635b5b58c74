import mysql from 'mysql2/promise'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { testDatabase, type TestDatabase } from '#tests/support/database.ts'
import type { ForeignTable } from './columns.ts'
import { createResourceDesign, generateResources } from './design.ts'
import { MYSQL_DRIVER_CLASS, POSTGRES_DRIVER_CLASS } from './dictionaries.ts'
import { resourceFromDeclaration } from './resource-from-declaration.ts'
import { proposeModelColumns, type GeneratorCatalogue, type ModelColumn } from './part.ts'
import { runDataSourceSession, type DataSourceConnection } from './source.client.ts'
import { findForeignTable, listDataSourceTables } from './tables.client.ts'

const LOOPBACK = '127.0.0.1'
const SCHEMA = 'develop_tables'
const root = { host: LOOPBACK, port: 3306, user: 'root', connectTimeout: 2000, multipleStatements: true }
const hasMaria = await mysql
  .createConnection(root)
  .then((connection) => connection.end().then(() => true))
  .catch(() => false)
if (!hasMaria) console.warn('No MariaDB answers on 127.0.0.1:3306: its columns are not read in this run.')

const known: GeneratorCatalogue = {
  resources: new Map([['basic_shop_info', 'basicShopInfo']]),
  words: new Map([
    ['货架号', 'Shelf no.'],
    ['常温', 'Ambient'],
  ]),
}

const POSTGRES_TABLE = `
  create type temper as enum ('warm', 'cold', 'frozen');
  create domain euro as numeric(9,2) not null;
  create table basic_shop_info (id bigint primary key);
  create table maker (code int primary key);
  create table act_hi_procinst (id int);
  create table shelf (
    id bigint generated always as identity primary key, tenant_id varchar(12),
    shop_id bigint not null references basic_shop_info,
    maker_id int references maker, shelf_no varchar(20) not null, layers smallint default 4, seats integer,
    big_count bigint,
    price numeric(10,2) not null default 9.50, width_cm numeric(6,1), weight double precision, ratio real,
    fee_fen int, cost euro,
    discount_rate numeric(5,2), is_open boolean default true, temper temper default 'cold', kind int default 1,
    state char(1),
    opened date, filled timestamp, seen timestamptz(3), at time, note text, html_text varchar(3000),
    phone varchar(20),
    email varchar(80), home_url text, cover_img varchar(200), pin_password varchar(50), extra jsonb,
    plain json, labels text[],
    numbers int[], uid uuid, ip inet, raw bytea, place point, span int4range, bits bit(3), total numeric(10,2)
    generated always as (price * 2) stored, create_time timestamp, is_deleted int default 0, "版本" int,
    "odd name" text,
    unique (shop_id, shelf_no)
  );
  comment on table shelf is '货架：门店里的架子';
  comment on column shelf.shelf_no is '货架号';
  comment on column shelf.kind is '温层：1常温 2冷藏 3-冷冻';
  comment on column shelf.state is '状态(a=active, b=blocked)';`

const MYSQL_TABLE = `
  drop database if exists ${SCHEMA}; create database ${SCHEMA} character set utf8mb4; use ${SCHEMA};
  create table basic_shop_info (id bigint primary key);
  create table act_hi_procinst (id int);
  create table shelf (
    id bigint auto_increment primary key, tenant_id varchar(12), shop_id bigint not null,
    shelf_no varchar(20) not null comment '货架号',
    layers tinyint default 4, is_open tinyint(1) default 1, seats int unsigned, big_count bigint,
    middle mediumint, year_made year,
    price decimal(10,2) not null default 9.50, weight double, ratio float, fee_fen int, discount_rate decimal(5,2),
    temper enum('warm','cold','it''s') default 'cold', marks set('a','b'),
    kind int default 1 comment '温层：1常温 2冷藏 3-冷冻',
    state char(1) comment '状态(a=active, b=blocked)', opened date, filled datetime default current_timestamp(),
    seen timestamp null,
    at time, note text, long_note longtext, html_text varchar(3000), phone varchar(20), email varchar(80),
    extra json, raw blob,
    bytes varbinary(20), place point, one_bit bit(1), bits bit(8),
    total decimal(10,2) generated always as (price * 2) virtual,
    create_time datetime, unique key shelf_once (shop_id, shelf_no),
    foreign key (shop_id) references basic_shop_info(id)
  ) comment '货架：门店里的架子'`

let database: TestDatabase
const tables: Record<string, ForeignTable> = {}
const names: Record<string, string[]> = {}

beforeAll(async () => {
  database = await testDatabase({ empty: true })
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  await client.query(POSTGRES_TABLE)
  await client.end()
  const { hostname, port, pathname, username, password } = new URL(database.url)
  await read({
    driverClass: POSTGRES_DRIVER_CLASS,
    host: hostname,
    port: Number(port),
    databaseName: pathname.slice(1),
    username: decodeURIComponent(username),
    password: decodeURIComponent(password),
    useTls: false,
  })
  if (!hasMaria) return
  const connection = await mysql.createConnection(root)
  await connection.query(MYSQL_TABLE)
  await connection.end()
  await read({
    driverClass: MYSQL_DRIVER_CLASS,
    host: LOOPBACK,
    port: 3306,
    databaseName: SCHEMA,
    username: 'root',
    password: '',
    useTls: false,
  })
})
afterAll(async () => {
  await database?.drop()
  if (!hasMaria) return
  const connection = await mysql.createConnection(root)
  await connection.query(`drop database ${SCHEMA}`)
  await connection.end()
})

async function read(source: DataSourceConnection): Promise<void> {
  const location = { ...source, schemaName: null }
  await runDataSourceSession(source, LOOPBACK, async (ask) => {
    names[source.driverClass] = (await listDataSourceTables(ask, location)).map(({ name }) => name)
    tables[source.driverClass] = (await findForeignTable(ask, location, 'shelf'))!
    expect(await findForeignTable(ask, location, 'nothing')).toBeUndefined()
  })
}

const partsIn = (driver: string): Map<string, ModelColumn> =>
  new Map(proposeModelColumns(tables[driver]!.columns, known).map((part) => [part.jdbcName, part]))
const kindsIn = (driver: string) =>
  Object.fromEntries([...partsIn(driver)].map(([name, { fieldKind }]) => [name, fieldKind]))

const BOTH = {
  shop_id: 'ref',
  shelf_no: 'text',
  layers: 'number',
  seats: 'number',
  big_count: 'number',
  price: 'money',
  weight: 'number',
  ratio: 'percent',
  fee_fen: 'money',
  discount_rate: 'percent',
  is_open: 'boolean',
  temper: 'dict',
  kind: 'dict',
  state: 'dict',
  opened: 'date',
  filled: 'datetime',
  seen: 'datetime',
  at: 'text',
  note: 'longText',
  html_text: 'longText',
  phone: 'phone',
  email: 'email',
  extra: 'json',
  raw: 'none',
  place: 'none',
  bits: 'text',
  total: 'number',
}

describe.each([
  [
    'PostgreSQL',
    POSTGRES_DRIVER_CLASS,
    true,
    {
      maker_id: 'ref',
      width_cm: 'number',
      cost: 'money',
      home_url: 'url',
      cover_img: 'picture',
      pin_password: 'password',
      plain: 'json',
      labels: 'tags',
      numbers: 'json',
      uid: 'text',
      ip: 'text',
      span: 'none',
      版本: 'number',
      'odd name': 'longText',
    },
  ],
  [
    'MariaDB',
    MYSQL_DRIVER_CLASS,
    hasMaria,
    { middle: 'number', year_made: 'number', marks: 'tags', long_note: 'longText', bytes: 'none', one_bit: 'boolean' },
  ],
] as const)('a table of %s', (_name, driver, isInstalled, own) => {
  test.skipIf(!isInstalled)('is offered beside others, and those of a process engine are not', () => {
    expect(names[driver]).toContain('shelf')
    expect(names[driver]).not.toContain('act_hi_procinst')
    expect(tables[driver]!.comment).toBe('货架：门店里的架子')
  })

  test.skipIf(!isInstalled)('has its columns read with every kind, and the machinery of ours left out', () => {
    expect(kindsIn(driver)).toEqual({ ...BOTH, ...own })
  })

  test.skipIf(!isInstalled)('says length, decimals, default, keys, choices and what is required', () => {
    const parts = partsIn(driver)
    expect(parts.get('shelf_no')).toMatchObject({
      propertyName: 'shelfNo',
      labelZh: '货架号',
      labelEn: 'Shelf no.',
      columnLength: 20,
      isRequired: 1,
      fieldKind: 'text',
    })
    expect(parts.get('shelf_no')!.uniqueGroup).toBe(parts.get('shop_id')!.uniqueGroup)
    expect(parts.get('shelf_no')!.uniqueGroup).not.toBe('')
    expect(parts.get('shop_id')).toMatchObject({ refTable: 'basic_shop_info', refTo: 'basicShopInfo' })
    expect(parts.get('price')).toMatchObject({ columnScale: 2, defaultValue: '9.50', isRequired: 1 })
    expect(parts.get('temper')).toMatchObject({ defaultValue: 'cold' })
    expect(parts.get('temper')!.options.map(({ key }) => key)).toEqual(
      driver === POSTGRES_DRIVER_CLASS ? ['warm', 'cold', 'frozen'] : ['warm', 'cold', "it's"],
    )
    expect(parts.get('kind')!.options).toEqual([
      { key: '1', zh: '常温', en: 'Ambient' },
      { key: '2', zh: '冷藏', en: '' },
      { key: '3', zh: '冷冻', en: '' },
    ])
    expect(parts.get('state')!.options.map(({ key, en }) => [key, en])).toEqual([
      ['a', 'Active'],
      ['b', 'Blocked'],
    ])
    // Generated columns are shown but not in the form.
    expect(parts.get('total')).toMatchObject({ isForm: 0, isRequired: 0 })
    expect(parts.get('filled')).toMatchObject({ defaultValue: '' })
  })

  test.skipIf(!isInstalled)('comes to a resource of ours, with what a person has to look at told', () => {
    const parts = [...partsIn(driver).values()]
    const [made] = generateResources([
      createResourceDesign(
        { serviceName: 'goods' },
        { model: { modelCode: 'shelf', modelName: '货架', modelNameEn: 'Shelf' }, parts },
      ),
    ])
    const resource = resourceFromDeclaration(made!.declared.declaration)
    expect(resource).toMatchObject({ name: 'shelf', scope: { shop: 'shopId' }, title: 'shelfNo' })
    expect(resource.unique).toEqual([['shopId', 'shelfNo']])
    expect(resource.fields.shelfNo).toMatchObject({ kind: 'text', max: 20, required: true })
    expect(resource.fields).not.toHaveProperty('raw')
    const keysByNote = Object.fromEntries(made!.declared.notes.map(({ code, keys }) => [code, keys]))
    expect(keysByNote.amounts).toEqual(expect.arrayContaining(['price', 'feeFen']))
    expect(keysByNote.left).toEqual(expect.arrayContaining(['raw', 'place']))
    expect(keysByNote.choices).toContain('kind')
    // A number whose table has no resource becomes no reference.
    const strays = driver === POSTGRES_DRIVER_CLASS ? ['makerNo'] : undefined
    expect(keysByNote.unknown).toEqual(strays)
    for (const key of strays ?? []) expect(resource.fields[key]).toMatchObject({ kind: 'number' })
  })
})
