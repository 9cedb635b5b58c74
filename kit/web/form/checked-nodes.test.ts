import { describe, expect, test } from 'vitest'
import { computeCheckedNodes, toggleCheckedNode } from './checked-nodes.ts'
import { filterTreeNodes, type TreeNode } from '../inputs/tree-nodes.ts'

const tree: TreeNode[] = [
  {
    id: 'system',
    title: '系统',
    children: [
      {
        id: 'user',
        title: '用户',
        children: [
          { id: 'user_add', title: '新增' },
          { id: 'user_edit', title: '修改' },
        ],
      },
      { id: 'post', title: '岗位' },
    ],
  },
  { id: 'desk', title: '工作台' },
]
const sorted = (set: ReadonlySet<string>) => [...set].toSorted()

describe('a tree of ticks', () => {
  test('shows what is stored and leaves it as it is', () => {
    const stored = new Set(['user_add', 'gone'])
    expect(computeCheckedNodes(tree, stored, 'linked')).toEqual({ checked: ['user_add'], half: ['user', 'system'] })
    expect(sorted(stored)).toEqual(['gone', 'user_add'])
  })

  test('does not tick a new child because its parent was stored', () => {
    const shown = computeCheckedNodes(tree, new Set(['user', 'user_add']), 'linked')
    expect(shown.checked).toEqual(['user_add'])
    expect(shown.half).toContain('user')
  })

  test('ticking a node ticks all below it, and a parent once it is full', () => {
    const one = toggleCheckedNode(tree, new Set(['post']), tree[0]!.children![0]!, 'linked')
    expect(sorted(one)).toEqual(['post', 'system', 'user', 'user_add', 'user_edit'])
  })

  test('taking one away takes away its parents, never its neighbours', () => {
    const all = toggleCheckedNode(tree, new Set(['desk']), tree[0]!, 'linked')
    const less = toggleCheckedNode(tree, all, tree[0]!.children![0]!.children![1]!, 'linked')
    expect(sorted(less)).toEqual(['desk', 'post', 'user_add'])
  })

  test('a node ticked while a search hides part of it ticks only what is seen', () => {
    const [seen] = filterTreeNodes(tree, '岗位')
    expect(sorted(toggleCheckedNode(tree, new Set(), seen!, 'linked'))).toEqual(['post'])
  })

  test('unlinked, a page can be held without its buttons', () => {
    const page = toggleCheckedNode(tree, new Set(), tree[0]!.children![0]!, 'free')
    expect(sorted(page)).toEqual(['user'])
    expect(computeCheckedNodes(tree, page, 'free')).toEqual({ checked: ['user'], half: ['system'] })
  })

  test('where only leaves count, headings never get into the set', () => {
    expect(sorted(toggleCheckedNode(tree, new Set(), tree[0]!, 'leaves'))).toEqual(['post', 'user_add', 'user_edit'])
  })
})
