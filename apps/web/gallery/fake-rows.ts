type Row = Record<string, any>

const cast = ['王小明', '李婷', '张伟', '刘芳', '陈晨', '杨洋', '赵敏', '周杰', '吴倩', '孙浩']
const streets = ['文三路', '延安路', '武林广场', '西湖银泰', '滨江星光', '古墩路', '钱江新城', '庆春路']
const pad = (value: number, length = 2) => String(value).padStart(length, '0')

export const users = cast.map((title, index) => ({ id: String(900 + index), title, code: `U${pad(index + 1, 4)}` }))

export const dictionaries: Record<string, { key: string; zh: string; en: string; colour?: string }[]> = {
  sample_status: [
    { key: '1', zh: '营业', en: 'Open', colour: 'success' },
    { key: '2', zh: '暂停', en: 'Paused', colour: 'warning' },
    { key: '3', zh: '停业', en: 'Closed', colour: 'error' },
    { key: '4', zh: '筹备', en: 'Preparing', colour: 'processing' },
  ],
  sample_kind: ['社区店', '校园店', '写字楼店', '地铁店', '医院店', '加油站店'].map((zh, index) => ({
    key: String(index + 1),
    zh,
    en: ['Neighbourhood', 'Campus', 'Office tower', 'Metro', 'Hospital', 'Filling station'][index]!,
  })),
  sample_feature: [
    { key: 'a', zh: '人脸门禁', en: 'Face entry', colour: 'blue' },
    { key: 'b', zh: '自助收银', en: 'Self checkout' },
    { key: 'c', zh: '冷柜', en: 'Cold shelf', colour: 'cyan' },
    { key: 'd', zh: '咖啡机', en: 'Coffee' },
    { key: 'e', zh: '充电宝', en: 'Power banks' },
  ],
}

const picture = (text: string, hue: number) => `/fake/picture.svg?text=${encodeURIComponent(text)}&hue=${hue}`

/** Returns the wire time (Asia/Shanghai) some minutes ago. */
export const ago = (minutes: number) =>
  new Date(Date.now() - minutes * 60_000 + 8 * 3600_000).toISOString().slice(0, 19).replace('T', ' ')

export function shop(n: number): Row {
  const road = streets[n % streets.length]!
  const created = n * n * 7 + n
  return {
    id: `17283940000000${pad(n, 5)}`,
    version: 1,
    name: `${road}${Math.floor(n / streets.length) + 1}号店`,
    code: `HZ${pad(n, 4)}`,
    status: String(n % 7 === 3 ? 2 : n % 11 === 5 ? 3 : n % 13 === 9 ? 4 : 1),
    kind: String((n % 6) + 1),
    features: ['a', 'b', 'c', 'd', 'e'].slice(n % 3, (n % 3) + 1 + (n % 3)).join(','),
    owner: users[n % 10]!.id,
    staff: `${users[(n + 1) % 10]!.id},${users[(n + 4) % 10]!.id}`,
    parent: '0',
    isOpen: n % 4 !== 0,
    revenue: (((n * 7919) % 250000) / 10).toFixed(2),
    deposit: '5000.00',
    visits: n % 9 === 0 ? -1 : (n * 37) % 900,
    area: (35 + (n % 40) * 1.5).toFixed(1),
    share: ((n * 3.25) % 30).toFixed(2),
    opened: `2025-${pad((n % 12) + 1)}-${pad((n % 27) + 1)}`,
    lastSale: ago((n * 13) % 4000),
    report: ['0 8 * * *', '30 9 * * 1-5', '*/15 * * * *', '0 2 1 * *'][n % 4],
    phone: `138${pad(n * 7919, 8)}`,
    email: `shop${n}@example.com`,
    website: n % 2 ? `https://shops.example.com/hangzhou/${n}` : '',
    region: '330106',
    place: `120.${130000 + n * 137},30.${259000 + n * 211}`,
    address: `浙江省杭州市西湖区${road}${n * 3 + 1}号一层临街商铺,靠近地铁站 ${n % 2 ? 'A' : 'B'} 出口`,
    logo: picture(road.slice(0, 1), n * 47),
    icon: ['shop', 'coffee', 'gift', 'shopping'][n % 4],
    colour: ['#409eff', '#52c41a', '#fa8c16', '#722ed1'][n % 4],
    pictures: [1, 2, 3]
      .slice(0, (n % 3) + 1)
      .map((one) => picture(`${one}`, n * 47 + one * 30))
      .join(','),
    about: `<h3>${road}门店</h3><p>二十四小时营业,<b>刷脸进店</b>,自助结账。</p><ul><li>冷饮</li><li>便当</li></ul>`,
    licence: n % 3 ? `/fake/files/营业执照-${pad(n, 3)}.pdf` : '',
    papers: '',
    tags: n % 2 ? '重点,夜间' : '',
    settings: n % 3 ? { door: { delay: 3 }, lights: [18, 23] } : {},
    createTime: ago(created),
    createUser: '900',
    createUserName: '王小明',
    updateTime: ago(Math.floor(created / 2)),
    updateUser: '901',
    updateUserName: '李婷',
  }
}

export const departments = (): Row[] =>
  [
    ['1', '0', '浙江总部', 1],
    ['2', '1', '运营部', 1],
    ['3', '2', '城西片区', 1],
    ['4', '2', '城东片区', 2],
    ['5', '1', '技术部', 2],
    ['6', '5', '设备组', 1],
    ['7', '0', '江苏分部', 2],
  ].map(([id, parentId, title, sort]) => ({ id, parentId, title, sort, remark: '', version: 1, createTime: ago(5000) }))

export const regions: Record<string, { id: string; title: string; hasChildren: boolean }[]> = {
  '00': [
    { id: '32', title: '江苏省', hasChildren: true },
    { id: '33', title: '浙江省', hasChildren: true },
  ],
  '33': [
    { id: '3301', title: '杭州市', hasChildren: true },
    { id: '3302', title: '宁波市', hasChildren: true },
  ],
  '3301': [
    { id: '330105', title: '拱墅区', hasChildren: false },
    { id: '330106', title: '西湖区', hasChildren: false },
    { id: '330108', title: '滨江区', hasChildren: false },
  ],
  '32': [{ id: '3201', title: '南京市', hasChildren: true }],
}
