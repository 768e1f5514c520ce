// Any Node from 18 on can run this, and says what is wrong instead of failing at what it does not know.
const needed = 24

if (Number(process.versions.node.split('.')[0]) < needed) {
  console.error(`Vestibule cannot start: Node ${needed} is needed, and this is ${process.versions.node}.`)
  process.exit(78)
}
