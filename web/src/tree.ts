// SPDX-License-Identifier: MIT
//
// tree.ts: YAML text as the nodes of a tree with places, as the core takes it: what io/yaml.c is natively. What the parser lets pass and a
// scene must not contain is refused here in the same words.

import {
    type Document,
    type Node,
    isAlias,
    isMap,
    isScalar,
    isSeq,
    LineCounter,
    parseAllDocuments,
    Scalar,
} from 'yaml';

export const SCALAR = 0;
export const LIST = 1;
export const MAP = 2;

const DEEPEST = 32;
const MOST_NODES = 2_000_000;
const LARGEST = 64 << 20;

export interface TreeNode {
    parent: number; // -1: the root
    kind: number;
    text: string;
    quoted: boolean;
    line: number;
    column: number;
}

export interface Problem {
    severity: 'error' | 'warning' | 'note';
    line: number; // 0: unknown
    column: number;
    text: string;
}

// What is wrong with a text. Thrown, as reading goes no further.
export class BadText extends Error {
    constructor(readonly problem: Problem) {
        super(problem.text);
    }
}

export function problemAt(line: number, column: number, text: string): Problem {
    return { severity: 'error', line, column, text };
}

class Reader {
    readonly nodes: TreeNode[] = [];
    private readonly open = new Set<Node>(); // whose parts are being read
    private readonly targets = new Map<Node, Node | undefined>(); // of aliases, which are met again where one is used in another's anchor

    constructor(
        private readonly document: Document.Parsed,
        private readonly lines: LineCounter,
    ) {}

    private place(node: Node): { line: number; col: number } {
        return this.lines.linePos(node.range?.[0] ?? 0);
    }

    refuse(node: Node | null, text: string): never {
        const at = node === null ? { line: 1, col: 1 } : this.place(node);
        throw new BadText(problemAt(at.line, at.col, text));
    }

    private add(parent: number, kind: number, text: string, quoted: boolean, node: Node | null): number {
        if (this.nodes.length >= MOST_NODES) {
            this.refuse(node, 'more than 2 million values, counting each use of an alias');
        }
        const at = node === null ? { line: this.nodes[parent]?.line ?? 1, col: this.nodes[parent]?.column ?? 1 } : this.place(node);
        this.nodes.push({ parent, kind, text, quoted, line: at.line, column: at.col });
        return this.nodes.length - 1;
    }

    // null: a value that is left out
    read(node: Node | null, parent: number, depth: number, isKey: boolean): void {
        if (node !== null && isAlias(node)) {
            this.readAlias(node, parent, depth, isKey);
            return;
        }
        if (node?.tag !== undefined) {
            this.refuse(node, `found the tag '${node.tag.slice(0, 60)}', expected a plain value without tags`);
        }
        if (node === null || isScalar(node)) {
            this.readScalar(node, parent, isKey);
            return;
        }
        if (depth >= DEEPEST) {
            this.refuse(node, 'nested deeper than 32 levels');
        }
        this.open.add(node);
        if (isMap(node)) {
            const at = this.add(parent, MAP, '', false, node);
            for (const pair of node.items) {
                this.read(pair.key as Node | null, at, depth + 1, true);
                this.read(pair.value as Node | null, at, depth + 1, false);
            }
        } else if (isSeq(node)) {
            const at = this.add(parent, LIST, '', false, node);
            for (const item of node.items) {
                this.read(item as Node | null, at, depth + 1, false);
            }
        }
        this.open.delete(node);
    }

    private readScalar(node: Scalar | null, parent: number, isKey: boolean): void {
        const text = node === null || node.value === null ? '' : String(node.value);
        const quoted = node !== null && node.type !== undefined && node.type !== Scalar.PLAIN;
        if (text.includes('\0')) {
            this.refuse(node, 'found a zero character in a text');
        }
        if (isKey && !quoted && text === '<<') {
            this.refuse(node, "found the merge key '<<', expected the keys themselves");
        }
        const none = !quoted && (text === '~' || text === 'null');
        this.add(parent, SCALAR, none ? '' : text, quoted, node);
    }

    private readAlias(node: Node, parent: number, depth: number, isKey: boolean): void {
        if (!isAlias(node)) {
            return;
        }
        const name = node.source.slice(0, 60);
        const target = this.targets.has(node) ? this.targets.get(node) : node.resolve(this.document);
        this.targets.set(node, target);
        if (target === undefined) {
            this.refuse(node, `the alias '*${name}' has no anchor before it`);
        }
        if (this.open.has(target)) {
            this.refuse(node, `the alias '*${name}' stands inside its own anchor`);
        }
        if (depth > DEEPEST) {
            this.refuse(node, 'nested deeper than 32 levels through aliases');
        }
        this.read(target, parent, depth, isKey);
    }
}

// The tree of a scene's text. Throws BadText.
export function readTree(text: string): TreeNode[] {
    if (text.length > LARGEST) {
        throw new BadText(problemAt(0, 0, `found ${text.length >> 20} MiB, expected a scene of at most 64 MiB`));
    }
    if (text.length === 0) {
        throw new BadText(problemAt(0, 0, 'the file is empty, expected a scene'));
    }
    const lines = new LineCounter();
    const documents = parseAllDocuments(text, {
        schema: 'failsafe',
        lineCounter: lines,
        prettyErrors: false,
        uniqueKeys: false,
        strict: true,
    });
    if (!Array.isArray(documents)) {
        throw new BadText(problemAt(1, 1, 'the file holds no scene, only white space or comments'));
    }
    for (const document of documents) {
        const wrong = document.errors[0];
        if (wrong !== undefined) {
            const at = lines.linePos(wrong.pos[0]);
            throw new BadText(problemAt(at.line, at.col, `not YAML: ${wrong.message}`));
        }
    }
    const [document, second] = documents;
    const reader = new Reader(document as Document.Parsed, lines);
    if (second !== undefined) {
        reader.refuse(second.contents, 'found a second document, expected one scene in a file');
    }
    const root = (document?.contents ?? null) as Node | null;
    const nothing = root === null || (isScalar(root) && (root.value === '' || root.value === null) && root.type === Scalar.PLAIN);
    if (nothing) {
        reader.refuse(null, 'the file holds no scene, only white space or comments');
    }
    reader.read(root, -1, 0, false);
    return reader.nodes;
}
