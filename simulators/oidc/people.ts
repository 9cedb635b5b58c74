/** A person who can sign in at the simulated services. */
export type Person = {
  id: string
  login: string
  name: string
  email: string
  avatar: string
  website: string
  company: string
  city: string
  sex: 'male' | 'female'
}

const picture = (colour: string, letter: string) =>
  `data:image/svg+xml,${encodeURIComponent(
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><rect width="64" height="64" ' +
      `fill="${colour}"/><text x="32" y="43" font-size="32" text-anchor="middle" fill="#fff">${letter}</text></svg>`,
  )}`

export const people: Person[] = [
  {
    id: '90210',
    login: 'wangjianguo',
    name: '王建国',
    email: 'wang@example.com',
    avatar: picture('#1677ff', '王'),
    website: 'https://example.com/wang',
    company: '邻里优选',
    city: '杭州',
    sex: 'male',
  },
  {
    id: '90211',
    login: 'lixiaohong',
    name: '李小红',
    email: 'li@example.com',
    avatar: picture('#eb2f96', '李'),
    website: '',
    company: '街角便利',
    city: '成都',
    sex: 'female',
  },
  { id: '90212', login: 'guest', name: '访客', email: '', avatar: '', website: '', company: '', city: '', sex: 'male' },
]
