// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {DemoToken} from "../devnet/DemoToken.sol";

/// @notice A token that blocks accounts, as widely held stablecoins do: they neither send nor receive. Anyone may
/// block.
contract BlockingToken is DemoToken {
    mapping(address account => bool) public isBlocked;

    error AccountBlocked(address account);

    constructor() DemoToken("Blocking Token", "BLCK", 6) {}

    function setBlocked(address account, bool blocked) external {
        isBlocked[account] = blocked;
    }

    function _update(address from, address to, uint256 amount) internal override {
        if (isBlocked[from]) revert AccountBlocked(from);
        if (isBlocked[to]) revert AccountBlocked(to);
        super._update(from, to, amount);
    }
}
