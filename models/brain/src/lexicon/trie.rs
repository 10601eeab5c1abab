//! The trie of phrases: what each phrase goes on with, step by step.

use super::{Link, Slot};
use crate::symbols::SymbolMap;

/// The trie while it grows. Its first node is the root.
#[derive(Debug)]
pub(super) struct Sprout {
    nodes: u32,
    units: SymbolMap<(u32, u32), u32>,
    known: SymbolMap<(u32, Link), u32>,
    /// The links but for units, in the order they were made.
    links: Vec<(u32, (Link, u32))>,
    ends: Vec<(u32, u32)>,
    silent: Vec<(u32, u32)>,
}

impl Default for Sprout {
    fn default() -> Self {
        Self {
            nodes: 1,
            units: SymbolMap::default(),
            known: SymbolMap::default(),
            links: Vec::new(),
            ends: Vec::new(),
            silent: Vec::new(),
        }
    }
}

impl Sprout {
    /// A node that nothing leads to yet.
    pub(super) fn root(&mut self) -> u32 {
        self.nodes += 1;
        self.nodes - 1
    }

    /// The node after a unit.
    pub(super) fn unit(&mut self, node: u32, symbol: u32) -> u32 {
        let fresh = self.nodes;
        let found = *self.units.entry((node, symbol)).or_insert(fresh);
        self.nodes += u32::from(found == fresh);
        found
    }

    /// The node after a link.
    pub(super) fn link(&mut self, node: u32, link: Link) -> u32 {
        if let Link::Unit(symbol) = link {
            return self.unit(node, symbol);
        }
        let fresh = self.nodes;
        let found = *self.known.entry((node, link)).or_insert(fresh);
        if found == fresh {
            self.nodes += 1;
            self.links.push((node, (link, fresh)));
        }
        found
    }

    /// Lets `next` follow `node` without a word. It is the younger of the two.
    pub(super) fn join(&mut self, node: u32, next: u32) {
        self.silent.push((node, next));
    }

    /// Lets a phrase end at a node.
    pub(super) fn end(&mut self, node: u32, entry: u32) {
        self.ends.push((node, entry));
    }

    pub(super) fn grown(mut self) -> Trie {
        // Several wordings of a phrase may end in one node.
        self.ends.sort_unstable();
        self.ends.dedup();
        let nodes = self.nodes as usize;
        let units = self
            .units
            .into_iter()
            .map(|((node, symbol), next)| (node, (symbol, next)));
        let mut units: Vec<(u32, (u32, u32))> = units.collect();
        units.sort_unstable();
        let mut trie = Trie {
            nodes: self.nodes,
            units: Shelf::new(nodes, units),
            links: Shelf::new(nodes, self.links),
            ends: Shelf::new(nodes, self.ends),
            silent: Shelf::new(nodes, self.silent),
            leads_to_text: vec![false; nodes],
        };
        trie.mark_leads();
        trie
    }
}

/// The whole trie. What belongs to a node stands together, for all nodes in one list of a kind: there are tens of
/// thousands, and most have one link.
#[derive(Debug, Default)]
pub(crate) struct Trie {
    nodes: u32,
    units: Shelf<(u32, u32)>,
    links: Shelf<(Link, u32)>,
    ends: Shelf<u32>,
    silent: Shelf<u32>,
    leads_to_text: Vec<bool>,
}

impl Trie {
    pub(crate) fn node(&self, node: u32) -> Node<'_> {
        Node { trie: self, node }
    }

    pub(crate) fn nodes(&self) -> impl Iterator<Item = Node<'_>> {
        (0..self.nodes).map(|node| self.node(node))
    }

    /// A silent node is made after those it follows, so those before it learn of it in one pass from the end.
    fn mark_leads(&mut self) {
        for at in (0..self.nodes).rev() {
            let node = self.node(at);
            let leads = node.has_slots() || node.silent().iter().any(|next| self.node(*next).leads_to_text());
            if let Some(marked) = self.leads_to_text.get_mut(at as usize) {
                *marked = leads;
            }
        }
    }
}

/// A place in the trie.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Node<'a> {
    trie: &'a Trie,
    node: u32,
}

impl<'a> Node<'a> {
    pub(crate) fn has_units(self) -> bool {
        !self.trie.units.of(self.node).is_empty()
    }

    /// The node after a unit.
    pub(crate) fn unit(self, symbol: u32) -> Option<u32> {
        let units = self.trie.units.of(self.node);
        let at = units.binary_search_by_key(&symbol, |(symbol, _)| *symbol).ok()?;
        units.get(at).map(|(_, next)| *next)
    }

    /// The node after a link that is no unit.
    pub(crate) fn link(self, link: Link) -> Option<u32> {
        let links = self.trie.links.of(self.node).iter();
        links.filter(|(other, _)| *other == link).map(|(_, next)| *next).next()
    }

    /// Whether a class, place or list of words is next.
    pub(crate) fn has_words(self) -> bool {
        let links = self.trie.links.of(self.node);
        links.iter().any(|(link, _)| !matches!(link, Link::Slot(_)))
    }

    pub(crate) fn has_slots(self) -> bool {
        self.slots().next().is_some()
    }

    /// The places for arguments that are next, and the nodes after them.
    pub(crate) fn slots(self) -> impl Iterator<Item = (Slot, u32)> + 'a {
        let links = self.trie.links.of(self.node).iter();
        links.filter_map(|(link, next)| match link {
            Link::Slot(slot) => Some((*slot, *next)),
            Link::Unit(_) | Link::Class(_) | Link::Place(_) | Link::List(_) => None,
        })
    }

    /// The phrases that end here.
    pub(crate) fn ends(self) -> &'a [u32] {
        self.trie.ends.of(self.node)
    }

    /// The nodes that follow without a word.
    pub(crate) fn silent(self) -> &'a [u32] {
        self.trie.silent.of(self.node)
    }

    /// Whether a place for an argument is next.
    pub(crate) fn leads_to_text(self) -> bool {
        self.trie
            .leads_to_text
            .get(self.node as usize)
            .is_some_and(|leads| *leads)
    }
}

/// Things of many nodes in one list, those of a node side by side.
#[derive(Debug)]
struct Shelf<T> {
    things: Vec<T>,
    /// Where the things of each node begin, and at last where all end.
    starts: Vec<u32>,
}

impl<T> Default for Shelf<T> {
    fn default() -> Self {
        Self {
            things: Vec::new(),
            starts: Vec::new(),
        }
    }
}

impl<T> Shelf<T> {
    /// Shelves things for `nodes` nodes; those of a node keep their order.
    fn new(nodes: usize, mut things: Vec<(u32, T)>) -> Self {
        things.sort_by_key(|(node, _)| *node);
        let mut starts = vec![0_u32; nodes + 1];
        for (node, _) in &things {
            if let Some(count) = starts.get_mut(*node as usize + 1) {
                *count += 1;
            }
        }
        let mut all = 0;
        for start in &mut starts {
            all += *start;
            *start = all;
        }
        Self {
            things: things.into_iter().map(|(_, thing)| thing).collect(),
            starts,
        }
    }

    fn of(&self, node: u32) -> &[T] {
        let bound = |at: usize| self.starts.get(at).map(|start| *start as usize);
        let (from, to) = (bound(node as usize), bound(node as usize + 1));
        from.zip(to)
            .and_then(|(from, to)| self.things.get(from..to))
            .unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generic::Class;
    use crate::lexicon::Limit;

    #[test]
    fn a_grown_trie_goes_where_its_links_led() {
        let mut sprout = Sprout::default();
        let slot = Slot {
            tool: 1,
            argument: 2,
            limit: Limit::Kind,
        };
        let open = sprout.unit(0, 7);
        assert_eq!(sprout.unit(0, 7), open, "the same unit leads to the same node");
        let glue = sprout.link(0, Link::Class(Class::Glue));
        let named = sprout.link(open, Link::Slot(slot));
        let joined = sprout.root();
        sprout.join(open, joined);
        let last = sprout.link(joined, Link::Slot(slot));
        sprout.end(named, 3);
        sprout.end(named, 3);
        sprout.end(last, 4);
        let trie = sprout.grown();

        let root = trie.node(0);
        assert_eq!((root.unit(7), root.unit(8)), (Some(open), None));
        assert_eq!(root.link(Link::Class(Class::Glue)), Some(glue));
        assert!(root.has_units() && root.has_words() && !root.has_slots() && !root.leads_to_text());
        assert_eq!(trie.node(open).slots().collect::<Vec<_>>(), [(slot, named)]);
        assert_eq!(trie.node(open).silent(), [joined]);
        assert!(trie.node(open).leads_to_text() && trie.node(joined).leads_to_text());
        assert_eq!(trie.node(named).ends(), [3]);
        assert_eq!(trie.node(last).ends(), [4]);
        assert!(trie.node(99).ends().is_empty(), "no such node");
    }

    #[test]
    fn a_node_whose_silent_follower_leads_to_text_leads_there_too() {
        let mut sprout = Sprout::default();
        let (first, second) = (sprout.root(), sprout.root());
        sprout.join(0, first);
        sprout.join(first, second);
        sprout.link(
            second,
            Link::Slot(Slot {
                tool: 0,
                argument: 0,
                limit: Limit::Sum,
            }),
        );
        let trie = sprout.grown();
        assert!(trie.node(0).leads_to_text());
    }
}
